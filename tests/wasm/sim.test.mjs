// The simulated universe (tests/sim) in WebAssembly: the hall as compiled for the browser, killed between any two
// steps, with the same checks as natively. It finds all planted faults there too.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';

/** main() of one of the two programs of tests/wasm/sim/build. */
function run(program, words) {
  let printed = '';
  const module = new WebAssembly.Module(readFileSync(`build/wasm/test/${program}.wasm`));
  const bytes = (at, length) => new Uint8Array(wasm.memory.buffer, at >>> 0, length);
  const absent = (name) => () => {
    throw new Error(`${name} is for several nodes, and a browser is one.`);
  };
  const wasm = new WebAssembly.Instance(module, {
    env: new Proxy({}, { get: (_, name) => absent(String(name)) }),
    sim: {
      put: (at, length) => (printed += new TextDecoder().decode(bytes(at, length))),
      seconds: () => performance.now() / 1000,
    },
  }).exports;
  const text = new TextEncoder().encode([program, ...words].join('\0') + '\0');
  bytes(wasm.bw_sim_room(), text.length).set(text);
  return { status: wasm.bw_sim_main(words.length + 1), printed };
}

if (!isMainThread) {
  const { program, calls } = workerData;
  parentPort.postMessage(calls.map((words) => run(program, words)));
}

/** Several calls of one program, in a separate thread. */
const beside = (program, calls) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { program, calls } });
    worker.on('message', resolve);
    worker.on('error', reject);
  });

if (isMainThread) {
  test('universes that kill the hall between any two steps hold their invariants', async () => {
    const [{ status, printed }] = await beside('sim', [['--total', process.env.SIM_STEPS ?? '100000']]);
    assert.equal(status, 0, printed);
    assert.match(printed, /nothing failed/);
    for (const what of ['kills', 'disk failures', 'moves', 'rounds', 'resumes', 'acks', 'refusals'])
      assert.ok(Number(new RegExp(`(\\d+) ${what}`).exec(printed)?.[1]) > 0, `${what}: ${printed}`);
  });

  test('every planted fault is caught', async () => {
    const list = /#define BW_FAULTS\(F\)[\s\S]*?(?=\n\n)/.exec(readFileSync('rooms/planted.h', 'utf8'))[0];
    const faults = [...list.matchAll(/F\((\w+), "/g)].map(([, name]) => name);
    assert.ok(faults.length > 20);
    const half = (odd) => faults.filter((_, i) => i % 2 === odd).map((name) => [name]);
    const results = await Promise.all([beside('planted', half(0)), beside('planted', half(1))]);
    for (const { status, printed } of results.flat()) assert.equal(status, 0, printed);
    assert.equal(results.flat().length, faults.length);
  });
}
