/** A room's code is found in whatever people paste: text around a code or a link is no reason to refuse it. */
import { expect, test } from 'vitest';
import { addressOf, roomId } from './code';

test('separators, quotes and closing punctuation are ignored', () => {
  for (const text of [
    'VVQNFW',
    ' vvqnfw ',
    'VVQ NFW',
    'VVQ-NFW',
    'VVQ\u2011NFW',
    'VVQ\u00a0NFW\u200b',
    'V V Q N F W',
    '"VVQNFW"',
    '\u201cVVQNFW\u201d',
    '(VVQNFW).',
    'Room VVQNFW',
    'code: VVQ-NFW',
    'VVQNFW,',
    'VVQ%20NFW', // from an address
  ])
    expect(roomId(text), text).toBe('VVQNFW');
});

test('a link gives its room, whatever text surrounds it', () => {
  for (const text of [
    'http://localhost:8000/game/VVQNFW',
    'https://play.example/game/vvqnfw/',
    'https://play.example/game/VVQNFW?game=flag_war#top',
    'play.example/game/VVQNFW.',
    '<https://play.example/game/VVQNFW>',
    'Play with me: https://play.example/game/VVQNFW)!',
    '/game/VVQNFW',
    'https://play.example/game/VVQ%20NFW',
  ])
    expect(roomId(text), text).toBe('VVQNFW');
});

test('other text is not a code', () => {
  for (const text of [
    '',
    'no',
    '...',
    'ABCDEFGHIJKLM',
    'ÄBCDE',
    'https://play.example/game/',
    '/game/%',
    '/game/VVQN%E0%A4%A',
    'VVQNFW%E0',
  ])
    expect(roomId(text), text).toBeNull();
});

test('links to other pages lead there', () => {
  expect(addressOf('https://x.example/replay/K7RTQX#12')).toBe('/replay/K7RTQX#12');
  expect(addressOf('Look: https://x.example/replay/K7RTQX.')).toBe('/replay/K7RTQX');
  expect(addressOf('https://x.example/play/flood_it?board=0123')).toBe('/play/flood_it?board=0123');
  expect(addressOf('vvq nfw')).toBe('/game/VVQNFW');
  expect(addressOf('?')).toBeNull();
});
