// The Flood-It solver in WebAssembly against the native one, on the same boards in one run.
//
//   node bench/flood_it_wasm.mjs BENCH_FLOOD_IT_SOLVER NAME...
//
// The first argument is the native bench of the build folder; NAME stands for NAME.txt and NAME.opt.
// Builds the module with clang and wasm-ld in a temporary folder. Time is wall time of a thread that does
// nothing else, the best of the repeats.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REPEATS = 7;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const [native, ...names] = process.argv.slice(2);
if (!native || !names.length) {
  console.error('usage: node bench/flood_it_wasm.mjs BENCH_FLOOD_IT_SOLVER NAME...');
  process.exit(2);
}

function build(simd) {
  const folder = mkdtempSync(join(tmpdir(), 'flood-it-'));
  const sources = ['bots/flood_it/solver.c', 'bots/flood_it/components.c', 'bots/flood_it/replay.c', 'wasm/mem.c',
    'bench/flood_it_wasm.c', ...[2, 4, 8, 16, 32, 64].map((words) => `bots/flood_it/kernel_${words}.c`)];
  const flags = ['--target=wasm32', '-std=c11', '-O2', '-ffreestanding', '-I.', '-isystem', 'wasm/include', ...(simd ? ['-msimd128'] : [])];
  const objects = sources.map((source, i) => {
    const object = join(folder, `${i}.o`);
    const extra = source === 'wasm/mem.c' ? ['-fno-builtin'] : [];
    execFileSync('clang', [...flags, ...extra, '-c', source, '-o', object], { cwd: root, stdio: 'inherit' });
    return object;
  });
  const out = join(folder, 'solver.wasm');
  execFileSync(process.env.WASM_LD ?? 'wasm-ld-14', ['--no-entry', '-O2', '-z', 'stack-size=262144', '--stack-first', ...objects, '-o', out]);
  const module = new WebAssembly.Module(readFileSync(out));
  rmSync(folder, { recursive: true });
  return new WebAssembly.Instance(module, {}).exports;
}

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))];

function bench(solver, boards, optima, beam = 0) {
  const times = [];
  let proven = 0;
  let moves = 0;
  boards.forEach((line, i) => {
    const cells = new Uint8Array(solver.memory.buffer, solver.cells(), line.length);
    for (let k = 0; k < line.length; k++) cells[k] = line.charCodeAt(k) & 31;
    let best = Infinity;
    let answer = 0;
    for (let n = 0; n < REPEATS; n++) {
      const start = performance.now();
      answer = solver.solve(Math.sqrt(line.length), beam);
      best = Math.min(best, performance.now() - start);
    }
    if (answer < 0 || solver.moves() < optima[i] || (answer === 1 && solver.moves() !== optima[i])) throw new Error(`board ${i + 1}: ${answer}`);
    times.push(best);
    proven += answer;
    moves += solver.moves();
  });
  const over = (100 * moves) / optima.reduce((a, b) => a + b) - 100;
  return `${proven} of ${boards.length} proven, moves +${over.toFixed(3)} %, median ${quantile(times, 0.5).toFixed(4)} ms, p95 ${quantile(times, 0.95).toFixed(3)} ms`;
}

const simd = build(true);
const plain = build(false);
for (const name of names) {
  const boards = readFileSync(`${name}.txt`, 'utf8').trim().split(/\s+/);
  const optima = readFileSync(`${name}.opt`, 'utf8').trim().split(/\s+/).map(Number);
  console.log(`wasm simd128  ${name}: ${bench(simd, boards, optima)}`);
  console.log(`wasm plain    ${name}: ${bench(plain, boards, optima)}`);
  console.log(`wasm beam 100 ${name}: ${bench(simd, boards, optima, 100)}`);
  console.log(`native ${execFileSync(native, ['--repeat', String(REPEATS), name], { encoding: 'utf8' }).trim()}`);
}
