// The same games, natively and in WebAssembly: the same positions, the same hashes, the same refusals.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { load } from './engine.mjs';

const program = process.env.BOARDWALK ?? 'build/boardwalk';
const build = 'build/wasm/boardwalk.wasm';
const games = ['blank', ...[...new Set([...readFileSync('web/src/lib/generated/wire.ts', 'utf8').matchAll(/^  (\w+): \{$/gm)].map((m) => m[1]))]];

const folder = mkdtempSync(join(tmpdir(), 'boardwalk-wasm-'));
after(() => rmSync(folder, { recursive: true }));

/** Random games of each kind, played natively. */
function files(game) {
  execFileSync(program, ['arena', game, '--a', 'random', '--b', 'random', '--games', '3', '--seed', '7', '--log', folder, '--json']);
  return readdirSync(folder)
    .filter((name) => name.startsWith(game + '-'))
    .map((name) => join(folder, name));
}

for (const game of games) {
  const played = files(game);
  test(`${game}: native games verify, step by step`, () => {
    const engine = load(build);
    assert.ok(played.length >= 3);
    for (const path of played) {
      const text = readFileSync(path, 'utf8');
      const opened = engine.open(text);
      assert.deepEqual([opened.valid, opened.game], [true, game], opened.message);
      const native = execFileSync(program, ['replay', path, '--json'], { maxBuffer: 1 << 28 })
        .toString()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(opened.steps, native.length);
      native.forEach((want, i) => {
        if (native.length > 300 && i % 17 !== 0 && i !== native.length - 1) return;
        const got = engine.ask({ ask: 'at', step: i });
        for (const [field, value] of Object.entries(want.state)) assert.deepEqual(got.state[field], value, field);
        assert.deepEqual(got.action, want.action);
        assert.deepEqual(got.events, want.events);
        assert.equal(got.role, want.role);
      });
    }
  });

  test(`${game}: a changed byte is detected`, () => {
    const engine = load(build);
    const text = readFileSync(played[0], 'utf8');
    const at = text.indexOf('"action"', text.length >> 1) + 10;
    const opened = engine.open(text.slice(0, at) + (text[at] === 'x' ? 'y' : 'x') + text.slice(at + 1));
    assert.equal(opened.valid, false);
    assert.match(opened.message, /line/i);
  });

  test(`${game}: reviews a game as the command line does`, () => {
    const path = played[0];
    const lines = readFileSync(path, 'utf8').split('\n').slice(0, 25);
    const text = lines.join('\n') + '\n'; // only the beginning of a long game: a review goes move by move
    const native = execFileSync(program, ['review', '-', '--json', '--games', '2'], { input: text }).toString().trim();
    const engine = load(build);
    engine.open(text);
    assert.equal(engine.ask({ ask: 'review_next' }).error, 'No review was begun.');
    const { by, games } = engine.ask({ ask: 'review', games: 2 });
    assert.deepEqual([by, games], [/^flood/.test(game) ? 'moves' : 'chances', 2]);
    const moves = new Map();
    for (let found; !(found = engine.ask({ ask: 'review_next' })).finished; ) {
      const { step, counts, done, slices, ...move } = found;
      assert.equal(found.error, undefined);
      assert.ok(done > 0 && done <= slices);
      if (counts) moves.set(step, { seq: engine.ask({ ask: 'at', step }).seq, ...move });
    }
    assert.deepEqual([...moves.entries()].sort(([a], [b]) => a - b).map(([, move]) => move),
      native === '' ? [] : native.split('\n').map((line) => JSON.parse(line)));
    assert.match(engine.ask({ ask: 'review' }).error, /reviewed already/);
    engine.open(text);
    assert.match(engine.ask({ ask: 'review', games: 0 }).error, /from 1 to 1000/);
    assert.match(engine.ask({ ask: 'review', level: 'nobody' }).error, /no bot of that level/);
  });

  test(`${game}: a legal action can be previewed, which changes nothing`, () => {
    const engine = load(build);
    const seed = '07'.repeat(32);
    const { state, error } = engine.ask({ ask: 'start', game, seed });
    assert.equal(error, undefined);
    assert.ok(state);
    // In rounds several seats may act: any of them.
    const role = state.current_role ?? headOf(played[0]).seats[0];
    const whole = { ...state, room_id: 'TEST', names: {}, a_field_of_tomorrow: 1 };
    const { actions, error: refused } = engine.ask({ ask: 'legal', game, role, state: whole });
    assert.equal(refused, undefined);
    assert.ok(actions.length > 0);
    for (const action of actions.slice(0, 40)) {
      const preview = engine.ask({ ask: 'preview', game, role, state: whole, actions: [action] });
      assert.equal(preview.error, undefined, JSON.stringify(action));
      assert.ok(Array.isArray(preview.events));
    }
    const again = engine.ask({ ask: 'view' });
    assert.deepEqual(again.state, state);
  });
}

test('flood_it: a hint is legal, its line is as short as the command line proves, and it solves the board', () => {
  const engine = load(build);
  const seed = '0b'.repeat(32);
  let { state } = engine.ask({ ask: 'start', game: 'flood_it', seed, config: { rows: 10, cols: 10, colors: 6 } });
  const letters = state.grid.map((row) => row.map((cell) => 'abcdefghij'[cell]).join('')).join('');
  const solved = execFileSync(program, ['solve', 'flood_it'], { input: letters + '\n' }).toString().split('\t');
  assert.equal(solved[2], 'optimal');
  for (let left = Number(solved[1]); left > 0; left--) {
    const { hint, error } = engine.ask({ ask: 'hint', game: 'flood_it', role: 'player', state });
    assert.equal(error, undefined);
    assert.deepEqual([hint.moves_left, hint.proven], [left, true]);
    const played = engine.ask({ ask: 'play', role: 'player', action: hint.action });
    assert.equal(played.error, undefined);
    state = played.state;
  }
  assert.equal(state.game_status, 'ended');
  assert.equal(state.winner, 'player');
  assert.match(engine.ask({ ask: 'hint', game: 'flood_it', role: 'player', state }).error, /nothing left to play/);
  assert.match(engine.ask({ ask: 'hint', game: 'blank', state: {} }).error, /\.$/);
});

test('flood_it: a board given as text can be played, hinted and printed again', () => {
  const engine = load(build);
  const start = { ask: 'start', game: 'flood_it', seed: '0b'.repeat(32), config: { rows: 2, cols: 3, colors: 3, seed: 'own' } };
  assert.match(engine.ask({ ...start, given: '00120' }).error, /one digit per square/);
  const { state } = engine.ask({ ...start, given: '001201' });
  assert.deepEqual(state.grid, [[0, 0, 1], [2, 0, 1]]);
  assert.equal(state.board, '001201');
  const { hint } = engine.ask({ ask: 'hint', game: 'flood_it', role: 'player', state });
  assert.deepEqual([hint.moves_left, hint.proven], [2, true]);
  const blue = { type: 'select_color', color: 'blue' };
  const preview = engine.ask({ ask: 'preview', game: 'flood_it', role: 'player', state, actions: [blue] });
  const played = engine.ask({ ask: 'play', role: 'player', action: blue });
  assert.deepEqual(preview.state.grid, [[2, 2, 1], [2, 2, 1]]);
  assert.deepEqual(played.state.grid, preview.state.grid);
  assert.equal(played.state.board, '001201');
  assert.match(engine.ask({ ...start, given: '00120' }).error, /one digit per square/);
  assert.match(engine.ask({ ask: 'play', role: 'player', action: blue }).error, /No game has been started/);
  assert.match(engine.ask({ ...start, given: '0'.repeat(8000) }).error, /one digit per square/);
  assert.deepEqual(engine.ask({ ...start, given: '001201' }).state, state);
  assert.match(engine.ask({ ...start, given: 12 }).error, /written down as text/);
  assert.match(engine.ask({ ...start, game: 'flag_war', config: {}, given: '0' }).error, /settings alone/);
});

test('flood_it: a game on a board given as text is written to a file and read again', () => {
  const engine = load(build);
  const wanted = { ask: 'file', game: 'flood_it', role: 'player', seed: '0b'.repeat(32), given: '001201', started_at: 7 };
  const config = { rows: 2, cols: 3, colors: 3, seed: 'own' };
  const blue = { type: 'select_color', color: 'blue' };
  const actions = [blue, { type: 'undo' }, blue];
  const { file, state } = engine.ask({ ...wanted, config, actions });
  assert.deepEqual([state.board, state.move_count, state.undone], ['001201', 1, true]);
  assert.equal(file.trimEnd().split('\n').length, 4);
  const read = engine.open(file);
  assert.match(read.message, /the result is missing/); // the game is not over
  assert.equal(read.steps, 4);
  assert.deepEqual(engine.ask({ ask: 'at', step: 3 }).state.grid, state.grid);
  assert.match(engine.open(file.replace('001201', '001202')).message, /^Line 1 or line 2/);
  assert.match(engine.open(file.replace('001201', '00120')).message, /^Line 1: A custom board needs one digit/);
  assert.match(engine.ask({ ...wanted, config, actions: [blue, blue] }).error, /already has that colour/);
  assert.match(engine.ask({ ...wanted, config, actions: [7] }).error, /with a "type"/);
  assert.match(engine.ask({ ...wanted, config: { rows: 1 } }).error, /rows/);
  assert.match(engine.ask({ ...wanted, config, role: 'nobody' }).error, /one of the game's roles/);
});

test('flag_war: orders in words become orders', () => {
  const engine = load(build);
  const { state } = engine.ask({ ask: 'start', game: 'flag_war', seed: '00'.repeat(32) });
  const answer = engine.ask({ ask: 'words', game: 'flag_war', role: 'blue', state, text: 'piece 2 up 3' });
  assert.equal(answer.error, undefined);
  assert.equal(answer.actions.length, 1);
  assert.equal(answer.actions[0].type, 'command');
  assert.equal(answer.actions[0].piece, 2);
  assert.ok(answer.summary.length > 0);
});

test('bots answer with legal actions, the same ones for the same seed', () => {
  const engine = load(build);
  for (const [game, role] of [['flooded_island', 'journeyman'], ['flag_war', 'red']]) {
    const { state } = engine.ask({ ask: 'start', game, seed: '00'.repeat(32) });
    const ask = () => engine.ask({ ask: 'choose', game, role, state, level: 'easy', seed: 5 });
    const answer = ask();
    assert.ok(answer.actions.length > 0, answer.error);
    assert.deepEqual(ask(), answer);
    assert.equal(engine.ask({ ask: 'preview', game, role, state, actions: answer.actions }).error, undefined);
  }
});

test('flag_war: a round without orders shows where a rescuer will be', () => {
  const engine = load(build);
  const { state } = engine.ask({ ask: 'start', game: 'flag_war', seed: '00'.repeat(32) });
  state.pieces['blue-1'] = { ...state.pieces['blue-1'], x: 9, y: 1, rescuing: true };
  const { events, error } = engine.ask({ ask: 'preview', game: 'flag_war', role: 'blue', state, actions: [] });
  assert.equal(error, undefined);
  const home = { type: 'returned', piece: 'blue-1', from: { x: 9, y: 1 }, to: { x: 4, y: 8 }, reason: 'rescue' };
  assert.deepEqual(events, [home]);
});

test('bad requests are answered with sentences', () => {
  const engine = load(build);
  for (const text of ['', '{', '[]', '{}', '{"ask":"fly"}', '{"ask":"legal"}', '{"ask":"legal","game":"blank"}',
    '{"ask":"legal","game":"blank","state":3}', '{"ask":"at","step":0}', '{"ask":"play"}', '{"ask":"start","game":"blank"}',
    '{"ask":"start","game":"blank","seed":"' + '0'.repeat(64) + '","config":{"width":99}}']) {
    const { error } = engine.askText(text);
    assert.equal(typeof error, 'string', text);
    assert.match(error, /[.!?]$/, text);
  }
  assert.equal(engine.open('').valid, false);
  assert.equal(engine.open('{"format":99}\n').valid, false);
});

test('memory does not grow from request to request', () => {
  const engine = load(build);
  const ask = () => engine.ask({ ask: 'start', game: 'blank', seed: '00'.repeat(32) });
  for (let i = 0; i < 10; i++) ask();
  const before = engine.pages();
  for (let i = 0; i < 2000; i++) ask();
  assert.equal(engine.pages(), before);
});

function headOf(path) {
  return JSON.parse(readFileSync(path, 'utf8').split('\n')[0]);
}
