/** What the lobby says, by who is there and what is missing. */
import { gameEntry } from '../../lib/games';
import type { GameInfo, RoleId } from '../../lib/protocol';
import type { Room } from '../../lib/room/room.svelte';
import { capital, list, plural } from '../../lib/words';
import { freeSeats, listed, people, roleTitle, whoIs } from './notices';

export interface LobbyFacts {
  room: Room;
  info: GameInfo | undefined;
  /** The seats are all the same, and some may stay empty. */
  alike: boolean;
  /** Enough seats are filled to start. */
  enough: boolean;
  mayStart: boolean;
  /** Several people sit at this device. */
  shared: boolean;
  /** Until the game starts by itself. */
  seconds: number | null;
  /** The names of those who were here and have left. */
  left: readonly string[];
  /** The room of a rematch, with a code of its own. */
  again: boolean;
}

export interface Words {
  title: string;
  text: string;
}

export function lobbyWords(facts: LobbyFacts): Words {
  const { room, info, alike, enough, mayStart, shared, seconds } = facts;
  const state = room.state;
  if (state === null) return { title: '', text: '' };
  if (room.resuming) return { title: 'Back to your seat', text: 'One moment.' };
  const you = room.you.role;
  const free = freeSeats(state, null);
  const others = people(state).filter((role) => role !== you);
  const pitch = gameEntry(state.game)?.pitch ?? 'Choose a seat.';
  if (you === null) {
    if (free.length === 0)
      return { title: 'All seats are taken', text: 'You can watch. The game starts in a moment.' };
    const host = others.map((role) => state.names[role] ?? '').find((name) => name !== '');
    if (host !== undefined) return { title: `Play with ${host}`, text: pitch };
    return { title: others.length > 0 ? 'You are invited' : 'Take a seat', text: pitch };
  }
  const bots = Object.values(state.bots).some((level) => level != null);
  if (!enough || (alike && others.length === 0 && !bots)) {
    return invitation(facts, free);
  }
  if (mayStart && seconds !== null)
    return {
      title: `${capital(listed(state, info, others))} ${others.length === 1 ? 'is' : 'are'} here`,
      text: `The game starts in ${plural(seconds, 'second')}.`,
    };
  if (mayStart)
    return {
      title: 'Ready to start',
      text:
        free.length > 0 && alike
          ? 'Start, or wait for more players.'
          : shared
            ? 'Pass the device when your turn ends.'
            : 'Choose how to play, then start.',
    };
  /* The first role configures where a person has it. */
  const chooser = Object.keys(state.players).find((role) => others.includes(role));
  const who = chooser === undefined ? 'the other player' : whoIs(state, info, chooser);
  return {
    title: `Waiting for ${who.replaceAll(' ', '\u00a0')} to start the game`,
    text: `${capital(who)} is choosing the settings.`,
  };
}

/** There are seats to fill. */
function invitation(
  { room, info, alike, left, again }: LobbyFacts,
  free: readonly RoleId[],
): Words {
  const state = room.state;
  const roles = list(free.map((role) => roleTitle(info, role)));
  const text = alike
    ? `Up to ${free.length} more can join. Start when all are here.`
    : `They play ${roles}. Or add a bot.`;
  if (left.length > 0)
    return {
      title: `${list(left)} ${left.length === 1 ? 'has' : 'have'} left`,
      text: alike ? text : `Send the link to a friend to play ${roles}, or add a bot.`,
    };
  if (again) {
    const awaited = free.map((role) => state?.names[role] ?? '').filter((name) => name !== '');
    const whom = awaited.length === 0 ? 'the other side' : list(awaited);
    return { title: `Waiting for ${whom}`, text: `This is a new room: ${room.id}.` };
  }
  return { title: alike ? 'Send the link to friends' : 'Send the link to a friend', text };
}
