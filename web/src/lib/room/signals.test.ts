/** A hidden tab shows what happened, and never what is not so (a turn while the game is paused). */
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { state } from './room.fake';
import { news, Signals, turnWords } from './signals.svelte';
import type { Seen } from './signals.svelte';

const seen = (change: Partial<Seen> = {}, of: Parameters<typeof state>[0] = {}): Seen => ({
  state: state({ current_role: 'weather', ...of }),
  you: 'journeyman',
  playing: true,
  offered: null,
  name: (role) => ({ weather: 'Bo' })[role] ?? role,
  ...change,
});
const source = { room: 'ABCD', title: 'Flooded Island' };
const mine = { current_role: 'journeyman' };
const all = { current_role: null };

test.each([
  ['their turn', seen(), ''],
  ['your turn', seen({}, mine), 'Your turn'],
  ['everybody at once', seen({}, all), 'Playing now'],
  ['your turn, paused', seen({}, { ...mine, paused: true }), ''],
  ['everybody, paused', seen({}, { ...all, paused: true }), ''],
  ['done in a race', seen({ playing: false }, all), ''],
  ['looking on', seen({ you: null }, all), ''],
  ['before the start', seen({}, { ...mine, game_status: 'waiting' }), ''],
  ['after the end', seen({}, { ...mine, game_status: 'ended' }), ''],
  ['nothing yet', seen({ state: null }), ''],
])('%s', (_, now, words) => {
  expect(turnWords(now)).toBe(words);
});

test.each([
  ['your turn', seen(), seen({}, mine), 'Your turn'],
  [
    'the start of a game of rounds',
    seen({}, { game_status: 'configuring' }),
    seen({}, all),
    'Playing now',
  ],
  ['the end of a pause', seen({}, { ...mine, paused: true }), seen({}, mine), 'Your turn'],
  [
    'a friend who arrives',
    seen({}, { game_status: 'waiting', players: { journeyman: true, weather: false } }),
    seen({}, { game_status: 'configuring' }),
    'Bo is here',
  ],
  [
    'a friend who returns',
    seen({}, { ...all, paused: true, players: { journeyman: true, weather: false } }),
    seen({}, all),
    'Bo is here',
  ],
  ['the end', seen({}, mine), seen({}, { game_status: 'ended' }), 'Game over'],
  [
    'an offer',
    seen({}, { game_status: 'ended' }),
    seen({ offered: 'weather' }, { game_status: 'ended' }),
    'Bo wants to play again',
  ],
  ['another move of theirs', seen(), seen({}, { current_turn: 2 }), undefined],
  ['a turn while paused', seen(), seen({}, { ...mine, paused: true }), undefined],
  [
    'one who leaves',
    seen(),
    seen({}, { players: { journeyman: true, weather: false } }),
    undefined,
  ],
  ['what is there at first', seen({ state: null }), seen({}, mine), undefined],
  ['a turn of others, for who looks on', seen({ you: null }), seen({ you: null }, mine), undefined],
])('%s is news or not', (_, before, now, words) => {
  expect(news(before, now)?.words).toBe(words);
});

describe('the title', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('shows what happened until the page is seen', () => {
    const signals = new Signals(() => source);
    signals.see(seen());
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const over = seen({}, { game_status: 'ended' });
    signals.see(over);
    expect(signals.front(over)).toBe('Game over · ');
    vi.restoreAllMocks();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(signals.front(over)).toBe('');
    signals.dispose();
  });

  const gone = { journeyman: true, weather: false };
  it.each([
    ['a turn, and a pause', seen(), seen({}, mine), seen({}, { ...mine, paused: true })],
    ['a turn that a bot took', seen(), seen({}, mine), seen({}, { current_turn: 2 })],
    [
      'a friend who has gone again',
      seen({}, { game_status: 'waiting', players: gone }),
      seen({}, { game_status: 'configuring' }),
      seen({}, { game_status: 'waiting', players: gone }),
    ],
    [
      'an offer that was taken back',
      seen({}, { game_status: 'ended' }),
      seen({ offered: 'weather' }, { game_status: 'ended' }),
      seen({}, { game_status: 'ended' }),
    ],
  ])('keeps it only while it is true: %s', (_, before, now, later) => {
    const signals = new Signals(() => source);
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    signals.see(before);
    signals.see(now);
    expect(signals.front(now)).not.toBe('');
    signals.see(later);
    expect(signals.front(later)).toBe('');
    signals.dispose();
  });

  it('of a visible page says whose turn it is', () => {
    const signals = new Signals(() => source);
    signals.see(seen());
    const now = seen({}, mine);
    signals.see(now);
    expect(signals.front(now)).toBe('Your turn · ');
    signals.dispose();
  });
});
