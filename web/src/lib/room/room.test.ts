import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Refusal } from '../protocol';
import { comeBack, enter, newest, seatedRoom, state } from './room.fake';
import { loadSeat, saveSeat } from './seat';

describe('joining', () => {
  it('connects over wss to the room, and names the game only if it is known', () => {
    enter();
    expect(newest().url).toBe('wss://example.test/ws/ABCD');
    enter('flood_it');
    expect(newest().url).toBe('wss://example.test/ws/ABCD?game=flood_it');
  });

  it('takes a seat with a reservation and a name of at most 24 characters', () => {
    const room = enter();
    newest().opens();
    room.select('weather', `  ${'é'.repeat(30)}  `);
    expect(newest().said).toEqual([
      { type: 'select_role', role: 'weather', reserve: true, name: 'é'.repeat(24) },
    ]);
    room.select('weather', '   ');
    expect(newest().said[1]).toEqual({ type: 'select_role', role: 'weather', reserve: true });
  });

  it('says in words why a seat was refused', () => {
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 1, state: state(), you: { role: null } });
    room.select('weather', '');
    newest().says({ type: 'error', code: 'role_taken', message: 'That seat is taken.' });
    expect(room.notice?.text).toBe('That seat is taken.');
    expect(room.you.role).toBeNull();
  });

  it('after a reload sends its token first, and shows nothing of the seat before the answer', () => {
    seatedRoom().dispose();
    const room = enter();
    newest().opens();
    expect(newest().said).toEqual([]);
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: null } });
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 2 }]);
    expect(room.ready).toBe(false);
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: 'journeyman' } });
    expect(room.ready).toBe(true);
    expect(room.you.role).toBe('journeyman');
  });

  it('forgets a token that the server no longer knows', () => {
    seatedRoom().dispose();
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: null } });
    newest().says({ type: 'error', code: 'no_seat', message: 'Somebody else sits there now.' });
    expect(room.ready).toBe(true);
    expect(room.you.role).toBeNull();
    expect(room.notice?.text).toMatch(/^This is no longer your seat/);
    expect(localStorage.getItem('boardwalk:room:ABCD')).not.toContain('secret');
  });

  it('keeps its token if the server could not read the room', () => {
    const room = seatedRoom();
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: null } });
    newest().says({ type: 'error', code: 'storage', message: 'The disk is full.' });
    expect(room.link).toBe('lost');
    vi.advanceTimersByTime(1000);
    newest().opens();
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 2 }]);
  });

  it('asks for a seat again if the connection was lost before the answer', () => {
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 1, state: state(), you: { role: null } });
    room.select('weather', 'Bo');
    const wish = { type: 'select_role', role: 'weather', reserve: true, name: 'Bo' };
    newest().says({ type: 'error', code: 'draining', message: 'Restarting.' });
    expect(room.notice).toBeNull();
    newest().breaks(1012);
    vi.advanceTimersByTime(1000);
    newest().opens();
    expect(newest().said).toEqual([wish]);
    newest().says({ type: 'error', code: 'role_reserved', message: 'Wait a moment.' });
    expect(room.notice?.text).toBe('Wait a moment.');
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    expect(newest().said).toEqual([]);
  });

  it('takes a seat that was requested before the connection was open', () => {
    const room = enter();
    room.select('weather', '');
    newest().opens();
    expect(newest().said).toEqual([{ type: 'select_role', role: 'weather', reserve: true }]);
    newest().says({ type: 'room_state', seq: 1, state: state(), you: { role: null } });
    newest().says({
      type: 'room_state',
      seq: 2,
      state: state(),
      you: { role: 'weather', token: 't' },
    });
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    expect(newest().said).toEqual([{ type: 'resume', token: 't', since: 2 }]);
  });
});

/* Storage that throws when it is read, written, or both. The module's own test is storage.test.ts. */
describe.each([
  ['full', ['setItem'], 'QuotaExceededError'],
  ['forbidden', ['getItem', 'setItem', 'removeItem'], 'SecurityError'],
] as const)('when the storage is %s', (_, methods, name) => {
  beforeEach(() => {
    for (const method of methods)
      vi.spyOn(Storage.prototype, method).mockImplementation(() => {
        throw new DOMException('No.', name);
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('a seat is held anyway, and the one in the next room too', () => {
    const room = seatedRoom();
    void room.act({ type: 'end_turn' }).catch(() => undefined);
    expect(newest().said.at(-1)).toEqual({ type: 'end_turn', id: 1 });
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    expect(newest().said).toEqual([{ type: 'resume', token: 'secret', since: 2 }]);
    newest().says({ type: 'rematch', room_id: 'WXYZ', role: 'weather', token: 'next' });
    expect(loadSeat('WXYZ').token).toBe('next');
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: 'journeyman' } });
    room.leave().catch(() => undefined);
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    expect(loadSeat('ABCD').token).toBeUndefined();
  });
});

describe('actions', () => {
  it('have increasing ids that survive a reload', () => {
    const room = seatedRoom();
    void room.act({ type: 'move', position: { x: 1, y: 1 } });
    void room.act({ type: 'end_turn' });
    expect(
      newest()
        .said.slice(1)
        .map((message) => message['id']),
    ).toEqual([1, 2]);
    room.dispose();
    const again = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: 'journeyman' } });
    void again.act({ type: 'end_turn' });
    expect(newest().said.at(-1)).toEqual({ type: 'end_turn', id: 3 });
  });

  it('start at one again with a new token', () => {
    const room = seatedRoom();
    void room.act({ type: 'end_turn' }).catch(() => undefined);
    newest().says({
      type: 'room_state',
      seq: 3,
      state: state(),
      you: { role: 'weather', token: 'other' },
    });
    void room.act({ type: 'end_turn' });
    expect(newest().said.at(-1)).toEqual({ type: 'end_turn', id: 1 });
  });

  it('are settled by an ack or an error, each by its own id', async () => {
    const room = seatedRoom();
    const first = room.act({ type: 'move', position: { x: 9, y: 9 } });
    const second = room.act({ type: 'end_turn' });
    newest().says({ type: 'ack', id: 2, seq: 3 });
    await expect(second).resolves.toBeUndefined();
    expect(room.waiting).toBe(1);
    newest().says({ type: 'error', code: 'illegal', message: 'Too far.', id: 1 });
    await expect(first).rejects.toBeInstanceOf(Refusal);
    await expect(first).rejects.toThrow('Too far.');
    expect(room.notice?.text).toBe('Too far.');
    expect(room.waiting).toBe(0);
  });

  it('are sent again after a reconnect, once, in order, with their old ids, until answered', async () => {
    const room = seatedRoom();
    const first = room.act({ type: 'move', position: { x: 1, y: 1 } });
    const second = room.act({ type: 'end_turn' });
    newest().says({ type: 'ack', id: 1, seq: 3 });
    await first;
    const socket = comeBack();
    expect(socket.said).toEqual([
      { type: 'resume', token: 'secret', since: 2 },
      { type: 'end_turn', id: 2 },
    ]);
    socket.says({ type: 'ack', id: 2, seq: 4 });
    await second;
    expect(comeBack(4).said).toHaveLength(1);
  });

  it('wait for the seat when they are made between connections', () => {
    const room = seatedRoom();
    newest().breaks();
    void room.act({ type: 'end_turn' });
    expect(room.live).toBe(false);
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: null } });
    expect(newest().said.map((message) => message['type'])).toEqual(['resume']);
    newest().says({ type: 'room_state', seq: 2, state: state(), you: { role: 'journeyman' } });
    expect(newest().said.map((message) => message['type'])).toEqual(['resume', 'end_turn']);
  });

  it('that were refused because the other players are missing are kept until those return', async () => {
    const room = seatedRoom();
    const choice = room.act({ type: 'move', position: { x: 1, y: 1 } });
    const end = room.act({ type: 'end_turn' });
    const socket = comeBack();
    socket.says({ type: 'game_update', seq: 2, events: [], changes: { paused: true } });
    for (const id of [1, 2]) {
      socket.says({ type: 'error', code: 'paused', message: 'The game is paused.', id });
    }
    expect(room.notice).toBeNull();
    expect(room.waiting).toBe(2);
    expect(socket.said).toHaveLength(3);
    socket.says({ type: 'game_update', seq: 2, events: [], changes: { paused: false } });
    expect(socket.said.slice(3)).toEqual([
      { type: 'move', position: { x: 1, y: 1 }, id: 3 },
      { type: 'end_turn', id: 4 },
    ]);
    socket.says({ type: 'ack', id: 3, seq: 3 });
    await choice;
    socket.says({ type: 'error', code: 'illegal', message: 'Too late.', id: 4 });
    await expect(end).rejects.toThrow('Too late.');
    expect(room.waiting).toBe(0);
  });

  it('that start a game wait for the other players, too', async () => {
    const room = seatedRoom();
    const begun = room.act({ type: 'start' });
    const socket = comeBack();
    const waiting = state({ game_status: 'waiting' });
    socket.says({ type: 'room_state', seq: 2, state: waiting, you: { role: 'journeyman' } });
    socket.says({ type: 'error', code: 'wrong_status', message: 'Roles are free.', id: 1 });
    expect(room.notice).toBeNull();
    const full = state({ game_status: 'configuring' });
    socket.says({ type: 'room_state', seq: 3, state: full, you: { role: 'journeyman' } });
    expect(socket.said.at(-1)).toEqual({ type: 'start', id: 2 });
    socket.says({ type: 'ack', id: 2, seq: 4 });
    await begun;
  });

  it('are kept over another reconnect, and end with the seat', async () => {
    const room = seatedRoom();
    const choice = room.act({ type: 'end_turn' });
    comeBack().says({ type: 'game_update', seq: 2, events: [], changes: { paused: true } });
    newest().says({ type: 'error', code: 'paused', message: 'The game is paused.', id: 1 });
    expect(comeBack().said.at(-1)).toEqual({ type: 'end_turn', id: 2 });
    newest().says({ type: 'game_update', seq: 2, events: [], changes: { paused: true } });
    newest().says({ type: 'error', code: 'paused', message: 'The game is paused.', id: 2 });
    newest().says({ type: 'room_closed', reason: 'Over.' });
    await expect(choice).rejects.toMatchObject({ code: 'no_seat' });
  });

  it('refused by a pause without a reconnect fail at once', async () => {
    const room = seatedRoom();
    const action = room.act({ type: 'end_turn' });
    newest().says({ type: 'error', code: 'paused', message: 'The game is paused.', id: 1 });
    await expect(action).rejects.toMatchObject({ code: 'paused' });
    expect(room.notice?.text).toBe('The game is paused.');
  });

  it('that a restarting server refuses are sent again when it is back', async () => {
    const room = seatedRoom();
    const action = room.act({ type: 'end_turn' });
    newest().says({ type: 'error', code: 'draining', message: 'Restarting.', id: 1 });
    expect(room.notice).toBeNull();
    const socket = comeBack();
    expect(socket.said.at(-1)).toEqual({ type: 'end_turn', id: 1 });
    socket.says({ type: 'ack', id: 1, seq: 3 });
    await action;
  });

  it('are refused at once without a seat', async () => {
    const room = enter();
    newest().opens();
    await expect(room.act({ type: 'start' })).rejects.toMatchObject({ code: 'no_seat' });
    expect(newest().said).toEqual([]);
  });

  it('change nothing on the page until the server says so', () => {
    const room = seatedRoom();
    const before = room.state;
    void room.act({ type: 'end_turn' });
    expect(room.state).toBe(before);
  });
});

describe('updates', () => {
  it('patch the state, null included, and carry the events', () => {
    const room = seatedRoom();
    newest().says({
      type: 'game_update',
      seq: 3,
      events: [{ type: 'day', n: 2 }],
      changes: { current_turn: 2, current_role: null, players: { weather: false } },
      you: { staged: null },
    });
    expect(room.state?.current_turn).toBe(2);
    expect(room.state?.current_role).toBeNull();
    expect(room.state?.players).toEqual({ journeyman: true, weather: false });
    expect(room.events).toEqual([{ type: 'day', n: 2 }]);
    expect(room.you).toMatchObject({ role: 'journeyman', staged: null });
  });

  it('are applied once: an update that the state already contains is ignored', () => {
    const room = seatedRoom();
    newest().says({ type: 'game_update', seq: 5, changes: { current_turn: 5 }, events: [] });
    newest().says({ type: 'game_update', seq: 4, changes: { current_turn: 4 }, events: [] });
    expect(room.state?.current_turn).toBe(5);
  });

  it('ignore what is not a message', () => {
    const room = seatedRoom();
    newest().onmessage?.call(newest() as never, new MessageEvent('message', { data: '{' }));
    newest().says([1, 2]);
    newest().says({ type: 'something_new', at: 1 });
    expect(room.live).toBe(true);
  });
});

describe('leaving and playing again', () => {
  it('leaves on purpose without a message about another tab', () => {
    const room = seatedRoom();
    void room.leave().catch(() => undefined);
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    expect(room.takenOver).toBe(false);
    expect(localStorage.getItem('boardwalk:room:ABCD')).not.toContain('secret');
  });

  it('leaves if the answer was lost, without a message', async () => {
    const room = seatedRoom();
    const left = room.leave();
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    newest().says({ type: 'error', code: 'no_seat', message: 'No such token.' });
    await expect(left).rejects.toMatchObject({ code: 'no_seat' });
    expect(room.you.role).toBeNull();
    expect(room.notice).toBeNull();
  });

  it('has not left if that was refused', async () => {
    const room = seatedRoom();
    const left = room.leave();
    newest().says({ type: 'error', code: 'storage', message: 'The disk is full.', id: 1 });
    await expect(left).rejects.toThrow('full');
    newest().says({ type: 'room_state', seq: 3, state: state(), you: { role: null } });
    expect(room.takenOver).toBe(true);
    expect(localStorage.getItem('boardwalk:room:ABCD')).toContain('secret');
  });

  it('waits for its seat in the next room, which the first messages do not contain', () => {
    const room = seatedRoom();
    const ended = state({ game_status: 'ended' });
    newest().breaks();
    vi.advanceTimersByTime(1000);
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: ended, you: { role: null } });
    newest().says({ type: 'rematch', room_id: 'WXYZ' });
    expect(room.movedTo).toBeNull();
    newest().says({ type: 'room_state', seq: 3, state: ended, you: { role: 'journeyman' } });
    newest().says({ type: 'rematch', room_id: 'WXYZ', role: 'weather', token: 'next' });
    expect(room.movedTo).toBe('WXYZ');
  });

  it('does not follow from a tab whose seat is in another tab', () => {
    const room = seatedRoom();
    const ended = state({ game_status: 'ended' });
    newest().says({ type: 'room_state', seq: 3, state: ended, you: { role: null } });
    newest().says({ type: 'rematch', room_id: 'WXYZ' });
    expect(room.movedTo).toBeNull();
  });

  /* Regression: Back, a link or a reload opens a finished game with a rematch. The page must not move on by itself;
     otherwise Back is a trap and the finished game cannot be viewed. */
  const ended = state({ game_status: 'ended' });
  const pong = (): void => {
    newest().says({ type: 'pong', t: 0, server_time: 0 });
  };

  it('moves spectators along', () => {
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: ended, you: { role: null } });
    pong();
    newest().says({ type: 'rematch', room_id: 'WXYZ' });
    expect(room.movedTo).toBe('WXYZ');
  });

  it('moves along if the rematch was agreed while the connection was lost', () => {
    const room = seatedRoom();
    pong();
    comeBack();
    newest().says({ type: 'rematch', room_id: 'WXYZ', role: 'weather', token: 'next' });
    expect(room.movedTo).toBe('WXYZ');
  });

  it('stays at an old game that is only viewed', () => {
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 3, state: ended, you: { role: null } });
    newest().says({ type: 'rematch', room_id: 'WXYZ' });
    expect(room.movedTo).toBeNull();
    expect(room.next).toBe('WXYZ');
  });

  it.each([
    ['leads on from an old game to a seat that was never taken', {}, 'WXYZ'],
    ['stays at an old game whose rematch was already opened here', { seen: 5 }, null],
  ])('%s', (_, known, expected) => {
    seatedRoom().dispose();
    saveSeat('WXYZ', { token: 'next', ...known });
    const room = enter();
    newest().opens();
    newest().says({ type: 'room_state', seq: 2, state: ended, you: { role: null } });
    newest().says({ type: 'rematch', room_id: 'WXYZ' });
    newest().says({ type: 'room_state', seq: 2, state: ended, you: { role: 'journeyman' } });
    newest().says({ type: 'rematch', room_id: 'WXYZ', role: 'weather', token: 'next' });
    pong();
    expect(room.movedTo).toBe(expected);
    expect(room.next).toBe('WXYZ');
  });

  it('stores the seat of the next room before going there', () => {
    const room = seatedRoom();
    newest().says({ type: 'rematch_offered', role: 'weather', swap: true });
    expect(room.offer).toEqual({ roles: ['weather'], by: 'weather', swap: true });
    newest().says({ type: 'rematch', room_id: 'WXYZ', role: 'weather', token: 'next' });
    expect(room.movedTo).toBe('WXYZ');
    expect(JSON.parse(localStorage.getItem('boardwalk:room:WXYZ') ?? '{}')).toEqual({
      game: 'flooded_island',
      role: 'weather',
      token: 'next',
      before: 'ABCD',
    });
  });

  it('knows all who want to play again', () => {
    const room = seatedRoom();
    const says = (role: string, more: object = {}) => {
      newest().says({ type: 'rematch_offered', role, swap: false, ...more });
      return room.offer;
    };
    says('player1');
    expect(says('player2')).toEqual({
      roles: ['player1', 'player2'],
      by: 'player2',
      swap: false,
    });
    // Withdrawn, sent twice, and as another kind of proposal.
    expect(says('player1', { cancel: true })).toEqual({
      roles: ['player2'],
      by: null,
      swap: false,
    });
    expect(says('player2')?.roles).toEqual(['player2']);
    expect(says('player3', { swap: true })?.roles).toEqual(['player3']);
    expect(says('player3', { swap: true, cancel: true })).toBeNull();
  });

  it('shows the result again after a reload', () => {
    const room = seatedRoom();
    newest().says({ type: 'game_over', seq: 9, winner: 'weather', stats: { days_survived: 4 } });
    room.dispose();
    const again = enter();
    newest().opens();
    newest().says({
      type: 'room_state',
      seq: 9,
      state: state({ game_status: 'ended', winner: 'weather' }),
      you: { role: 'journeyman' },
    });
    expect(again.over?.stats).toEqual({ days_survived: 4 });
  });
});

describe("the server's clock", () => {
  it('follows the quickest of the last answers', () => {
    const room = seatedRoom();
    const sent = Date.now();
    vi.advanceTimersByTime(200);
    newest().says({ type: 'pong', t: sent, server_time: sent + 5100 });
    expect(room.serverNow() - Date.now()).toBe(5000);
    const later = Date.now();
    vi.advanceTimersByTime(800);
    newest().says({ type: 'pong', t: later, server_time: later + 5700 });
    expect(room.serverNow() - Date.now()).toBe(5000);
  });
});
