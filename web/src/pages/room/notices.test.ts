import { describe, expect, it } from 'vitest';
import type { GameInfo, RoomState } from '../../lib/protocol';
import { whoIs } from './notices';

const info = (id: string, title: string) => ({ roles: [{ id, title }] }) as GameInfo;
const room = (game: string, names: Record<string, string | null>) => ({ game, names }) as RoomState;

describe('who somebody is', () => {
  it('is a name, a calling, or a colour', () => {
    expect(whoIs(room('flag_war', { blue: 'Ada' }), info('blue', 'Blue'), 'blue')).toBe('Ada');
    expect(whoIs(room('flag_war', { blue: null }), info('blue', 'Blue'), 'blue')).toBe('Blue');
    expect(whoIs(room('flooded_island', {}), info('weather', 'Weather'), 'weather')).toBe(
      'the Weather',
    );
  });
});
