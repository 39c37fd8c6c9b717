/** A room's connection: how it is lost, noticed and retried; and what is requested again when it is back. */
import { describe, expect, it, vi } from 'vitest';
import { comeBack, enter, newest, refuse, seatedRoom, sockets, state } from './room.fake';
import type { Room } from './room.svelte';

describe('the history', () => {
  const plays = (from: number, to: number): void => {
    for (let seq = from; seq <= to; seq += 1)
      newest().says({
        type: 'game_update',
        seq,
        events: [{ type: 'day', n: seq }],
        changes: { current_turn: seq },
      });
  };
  const seqs = (room: Room): number[] => room.history.map((one) => one.seq);
  const reload = (room: Room, seq: number): Room => {
    room.dispose();
    const again = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq, state: state(), you: { role: null } });
    return again;
  };
  const seated = (seq: number): void => {
    newest().says({ type: 'room_state', seq, state: state(), you: { role: 'journeyman' } });
  };

  it('is requested again after a reload, and none of it is shown as new', () => {
    const room = seatedRoom();
    plays(3, 6);
    expect(seqs(room)).toEqual([3, 4, 5, 6]);
    const again = reload(room, 6);
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 2 }]);
    // Connections and spectators change no seq and are not part of it.
    newest().says({ type: 'game_update', seq: 6, events: [], changes: { spectators: 0 } });
    plays(3, 6);
    seated(6);
    expect(seqs(again)).toEqual([3, 4, 5, 6]);
    expect(again.events).toEqual([]);
    plays(7, 7);
    expect(seqs(again)).toEqual([3, 4, 5, 6, 7]);
    expect(again.events).toEqual([{ type: 'day', n: 7 }]);
  });

  it('has what happens during the request once, in its place', () => {
    const room = seatedRoom();
    plays(3, 5);
    const again = reload(room, 5);
    plays(6, 6); // live, before the answer
    plays(3, 6);
    expect(again.events).toEqual([]);
    seated(6);
    expect(seqs(again)).toEqual([3, 4, 5, 6]);
    expect(again.events).toEqual([{ type: 'day', n: 6 }]);
  });

  it('goes back as far as the server is sure to remember', () => {
    const room = seatedRoom();
    plays(3, 200);
    expect(seqs(room)).toHaveLength(64);
    reload(room, 200);
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 136 }]);
  });

  it('starts again if more than moves has happened in the meantime', () => {
    const room = seatedRoom();
    plays(3, 6);
    const again = reload(room, 9);
    seated(9);
    expect(seqs(again)).toEqual([]);
    plays(10, 11);
    reload(again, 11);
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 9 }]);
  });

  it('continues over a lost connection, and the end of the game is shown', () => {
    const room = seatedRoom();
    plays(3, 4);
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 6, state: state(), you: { role: null } });
    plays(5, 6);
    seated(6);
    expect(seqs(room)).toEqual([3, 4, 5, 6]);
    expect(room.events).toEqual([{ type: 'day', n: 6 }]);
  });
});

describe('a lost connection', () => {
  it('is retried with growing, partly random pauses', () => {
    const room = enter();
    const pauses: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      newest().breaks();
      expect(room.link).toBe('lost');
      pauses.push((room.retryAt ?? 0) - Date.now());
      vi.advanceTimersByTime(pauses.at(-1) ?? 0);
    }
    expect(pauses).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500]);
    expect(sockets).toHaveLength(8);
  });

  it('is back within a tenth of a second if the room has moved to another server', () => {
    const room = seatedRoom();
    const before = sockets.length;
    newest().breaks(1012, 'room_moved');
    expect((room.retryAt ?? 0) - Date.now()).toBeLessThanOrEqual(100);
    vi.advanceTimersByTime(100);
    expect(sockets).toHaveLength(before + 1);
    // That server does not answer: from now on as usual.
    newest().breaks(1012, 'room_moved');
    expect((room.retryAt ?? 0) - Date.now()).toBe(750);
  });

  it('is retried at once when the page wakes or the network returns', () => {
    enter();
    for (const wake of ['online', 'pageshow']) {
      newest().breaks();
      const before = sockets.length;
      dispatchEvent(new Event(wake));
      expect(sockets).toHaveLength(before + 1);
    }
    newest().breaks();
    document.dispatchEvent(new Event('visibilitychange'));
    expect(sockets).toHaveLength(4);
  });

  it('is not assumed if the answer comes within the same millisecond, and then nothing more', () => {
    const room = seatedRoom();
    const at = Date.now();
    vi.advanceTimersByTime(10_000);
    newest().says({ type: 'pong', t: at + 10_000, server_time: at + 10_000 });
    vi.advanceTimersByTime(9_000);
    expect(room.link).toBe('open');
  });

  it('is noticed by silence', () => {
    const room = seatedRoom(); // with an answer after the first ping; the next ping is 10 seconds later
    vi.advanceTimersByTime(15_999);
    expect(room.link).toBe('open');
    vi.advanceTimersByTime(2);
    expect(room.link).toBe('lost');
  });

  it('is noticed sooner if an action is not answered', () => {
    const room = seatedRoom();
    newest().says({ type: 'pong', t: Date.now(), server_time: Date.now() });
    vi.advanceTimersByTime(7000);
    void room.act({ type: 'end_turn' }).catch(() => undefined);
    vi.advanceTimersByTime(2000);
    void room.act({ type: 'end_turn' }).catch(() => undefined);
    vi.advanceTimersByTime(3999);
    expect(room.link).toBe('open');
    vi.advanceTimersByTime(2);
    expect(room.link).toBe('lost');
  });

  it('is not suspected while the server answers', () => {
    const room = seatedRoom();
    for (let i = 0; i < 30; i += 1) {
      newest().says({ type: 'pong', t: Date.now(), server_time: Date.now() });
      vi.advanceTimersByTime(2000);
    }
    expect(room.link).toBe('open');
    expect(sockets).toHaveLength(1);
  });

  it('is given up if it cannot be established', () => {
    const room = enter();
    vi.advanceTimersByTime(14_999);
    expect(room.link).toBe('connecting');
    vi.advanceTimersByTime(2);
    expect(room.link).toBe('lost');
    vi.advanceTimersByTime(1000);
    expect(sockets).toHaveLength(2);
  });

  it('to a room that was closed in the meantime does not show an empty one instead', () => {
    const room = seatedRoom();
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    const anew = state({ game_status: 'waiting', created_at: 9, started_at: null });
    newest().says({ type: 'room_state', seq: 1, state: anew, you: { role: null } });
    expect(room.closedBecause).toMatch(/closed/);
    expect(room.link).toBe('closed');
    expect(room.state?.game_status).toBe('active');
  });

  it('stays closed once the room is closed', () => {
    const room = seatedRoom();
    newest().says({ type: 'room_closed', reason: 'The game ended five minutes ago.' });
    newest().breaks(1000);
    vi.advanceTimersByTime(60_000);
    expect(room.link).toBe('closed');
    expect(room.closedBecause).toBe('The game ended five minutes ago.');
    expect(sockets).toHaveLength(1);
  });

  it('receives nothing from a socket that was given up', () => {
    const room = seatedRoom();
    const old = newest();
    const handler = old.onmessage;
    comeBack();
    expect(old.onmessage).toBeNull();
    expect(handler).not.toBeNull();
    expect(room.state?.current_turn).toBe(1);
  });
});

describe("another viewer's state", () => {
  const others = state({ current_turn: 7 });

  it('is not shown while the seat is being resumed', () => {
    const room = seatedRoom();
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: others, you: { role: null } });
    newest().says({ type: 'game_update', seq: 4, events: [], changes: { current_turn: 8 } });
    expect(room.state?.current_turn).toBe(1);
    const mine = state({ current_turn: 4 });
    newest().says({ type: 'room_state', seq: 4, state: mine, you: { role: 'journeyman' } });
    expect(room.state?.current_turn).toBe(4);
  });

  it('is shown once the seat is refused', () => {
    const room = seatedRoom();
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: others, you: { role: null } });
    newest().says({ type: 'game_update', seq: 4, events: [], changes: { current_turn: 8 } });
    newest().says({ type: 'error', code: 'no_seat', message: 'No such token.' });
    expect(room.state?.current_turn).toBe(8);
    expect(room.takenOver).toBe(false);
    newest().says({ type: 'game_update', seq: 5, events: [], changes: { current_turn: 9 } });
    expect(room.state?.current_turn).toBe(9);
  });
});

describe('a second tab', () => {
  it('takes the seat over, and this one does not take it back by itself', async () => {
    const room = seatedRoom();
    const under = room.act({ type: 'end_turn' });
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    expect(room.takenOver).toBe(true);
    await expect(under).rejects.toMatchObject({ code: 'no_seat' });
    await expect(room.act({ type: 'end_turn' })).rejects.toMatchObject({ code: 'no_seat' });
    // It closes its connection, so that it does not count as a spectator, and only the player brings it back.
    const before = sockets.length;
    expect(newest().readyState).toBe(3);
    dispatchEvent(new Event('online'));
    vi.advanceTimersByTime(60_000);
    expect(sockets).toHaveLength(before);
    room.playHere();
    // Nothing was lost, so no message says so.
    expect(room.link).toBe('connecting');
    newest().opens();
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 3 }]);
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    newest().says({ type: 'room_state', seq: 4, state: state(), you: { role: 'journeyman' } });
    expect(room.takenOver).toBe(false);
    expect(room.live).toBe(true);
  });

  it('continues the ids of the first', () => {
    const first = seatedRoom();
    void first.act({ type: 'end_turn' });
    const second = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: 'journeyman' } });
    void second.act({ type: 'end_turn' });
    expect(newest().said.at(-1)).toEqual({ type: 'end_turn', id: 2 });
  });
});

/* Regression: a player who left the page is not away, because the browser keeps the page, which would answer pings. */
describe('a page that is left', () => {
  const go = (how: 'pagehide' | 'freeze'): void => {
    if (how === 'freeze') document.dispatchEvent(new Event('freeze'));
    else dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
  };
  const back = (how: 'pageshow' | 'resume' | 'visibilitychange'): void => {
    if (how === 'pageshow') dispatchEvent(new PageTransitionEvent(how, { persisted: true }));
    else document.dispatchEvent(new Event(how));
  };

  it.each([
    ['pagehide', 'pageshow'],
    ['pagehide', 'visibilitychange'],
    ['freeze', 'resume'],
    ['freeze', 'visibilitychange'],
  ] as const)('disconnects at once at %s, and connects at once at %s', (left, returned) => {
    const room = seatedRoom();
    const before = sockets.length;
    go(left);
    expect(newest().readyState).toBe(3);
    expect(room.live).toBe(false);
    vi.advanceTimersByTime(600_000);
    expect(sockets).toHaveLength(before);
    back(returned);
    expect(sockets).toHaveLength(before + 1);
    newest().opens();
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 2 }]);
  });

  it('sends unanswered messages again on return', async () => {
    const room = seatedRoom();
    const done = room.act({ type: 'end_turn' });
    go('pagehide');
    back('pageshow');
    newest().opens();
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: 'journeyman' } });
    expect(newest().said.at(-1)).toEqual({ type: 'end_turn', id: 1 });
    newest().says({ type: 'ack', id: 1, seq: 3 });
    await done;
  });

  it('stays as it was if another tab has the seat, or the room is closed', () => {
    const room = seatedRoom();
    newest().says({ type: 'room_closed', reason: 'Gone.' });
    const before = sockets.length;
    go('pagehide');
    back('pageshow');
    expect(sockets).toHaveLength(before);
    expect(room.link).toBe('closed');
  });

  it('a hidden page stays connected', () => {
    const room = seatedRoom();
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    vi.advanceTimersByTime(3000);
    expect(room.live).toBe(true);
    newest().breaks();
    vi.advanceTimersByTime(1000);
    expect(newest().readyState).toBe(0);
    hidden.mockRestore();
  });
});

/* Regression: a refused connection is blamed on the network; reach.test.ts has the reasons. */
describe('a connection that cannot be established', () => {
  const why = { title: 'Too many connections', detail: 'Close other tabs.', operator: 'Limit.' };

  it('asks for the reason, and shows it until it is established', async () => {
    const room = enter();
    refuse(why);
    newest().breaks();
    await vi.advanceTimersByTimeAsync(0);
    expect(room.refusedBecause).toEqual(why);
    await vi.advanceTimersByTimeAsync(1000);
    newest().breaks();
    refuse(null);
    await vi.advanceTimersByTimeAsync(1000);
    newest().breaks();
    await vi.advanceTimersByTimeAsync(0);
    expect(room.refusedBecause).toBeNull();
    refuse(why);
    await vi.advanceTimersByTimeAsync(2000);
    newest().opens();
    expect(room.refusedBecause).toBeNull();
  });

  /* Regression: where the answer was slow, the network was blamed until it came. */
  it('blames nothing before it knows the reason', async () => {
    const room = enter();
    refuse(why);
    newest().breaks();
    expect(room.wondering).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(room.wondering).toBe(false);
    expect(room.refusedBecause).toEqual(why);
  });

  it('does not ask for the reason if it was established before', async () => {
    const room = seatedRoom();
    refuse(why);
    newest().breaks();
    await vi.advanceTimersByTimeAsync(0);
    expect(room.refusedBecause).toBeNull();
  });
});

/* Regression: spectators count themselves among the others who watch. */
it.each([
  [1, { role: null }, 0],
  [3, { role: null }, 2],
  [0, { role: 'journeyman', token: 't' }, 0],
  [1, { role: 'journeyman', token: 't' }, 1],
])('of %i spectators, %o sees %i others', (spectators, you, others) => {
  const room = enter();
  newest().opens();
  newest().says({ type: 'room_state', seq: 1, state: state({ spectators }), you });
  expect(room.lookingOn).toBe(others);
});
