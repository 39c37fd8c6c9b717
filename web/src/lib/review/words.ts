/** What a review says, in words. */
import type { Worths } from '../games/types';
import type { RoleId } from '../protocol';
import { capital, plural } from '../words';
import type { Move, Worth } from './review.svelte';

export const percent = (chance: number): string => `${Math.round(chance * 100)} %`;

/** "16 moves", "60 %", "no trap in sight". */
export function worthWords(worth: Worth, worths: Worths | undefined): string {
  if (worths === undefined) return worth === null ? '' : percent(worth);
  return worth === null ? worths.open : plural(worth, worths.one);
}

/** What it cost: "1 move", "40 %". */
export const costWords = (move: Move, worths: Worths | undefined): string =>
  worths === undefined ? percent(move.cost) : plural(move.cost, worths.one);

/** "Still needed: 16 moves before this move, 16 moves after it." */
export function moveWords(
  move: Move,
  role: RoleId,
  worths: Worths | undefined,
  name: string,
): string {
  const before = worthWords(move.before[role] ?? null, worths);
  const after = worthWords(move.after[role] ?? null, worths);
  const what =
    worths?.left ??
    (move.role === null ? `${capital(name)}'s chance of winning` : 'Chance of winning');
  const which = move.role === null ? 'this round' : 'this move';
  return `${what}: ${before} before ${which}, ${after} after it.`;
}

/** How sure that is. */
export function sureWords(move: Move, by: 'moves' | 'chances', games: number): string {
  if (by === 'moves')
    return move.exact[0] && move.exact[1]
      ? 'Proven by the solver.'
      : 'As far as the solver sees; not proven.';
  return `The computer's opinion, from ${plural(move.again ? 4 * games : games, 'game')} against itself.`;
}

/** How the review was made, said once. */
export function methodWords(
  by: 'moves' | 'chances',
  games: number,
  worths: Worths | undefined,
): string {
  if (by === 'moves' && worths !== undefined) return worths.method;
  return (
    `This is the computer's opinion, not a proof. From each position it played ${plural(games, 'game')} against itself, ` +
    'once with the move and once without it, each time with other luck. It looked again at the moves that cost most, ' +
    "with four times as many games, and compared each with the strongest bot's move."
  );
}

/** What the whole came to. */
export function verdictWords(
  turning: Move | null,
  phase: 'done' | 'stopped' | 'failed' | 'running',
  worths: Worths | undefined,
  name: (role: RoleId) => string,
): string {
  if (phase === 'failed') return 'The review did not finish. Load the page again.';
  if (turning?.of == null)
    return phase === 'stopped'
      ? 'Stopped before anything was found.'
      : 'No single move turned the game.';
  const where = `${phase === 'stopped' ? 'So far the' : 'The'} game turned at move ${turning.step}`;
  if (worths !== undefined)
    return `${where}: it cost ${name(turning.of)} ${costWords(turning, worths)}.`;
  const [before, after] = [turning.before, turning.after].map((both) =>
    percent(both[turning.of ?? ''] ?? 0),
  );
  return `${where}: ${name(turning.of)}'s chance of winning fell from ${before} to ${after}.`;
}
