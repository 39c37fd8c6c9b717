/** The worker around boardwalk.wasm; engine.svelte.ts is its other side. */
import type { EngineAnswer, EngineReply, EngineRequest } from './engine.svelte';

/** The exports listed in wasm/api.h. */
interface Exports {
  memory: WebAssembly.Memory;
  bw_wasm_room(length: number): number;
  bw_wasm_file_room(length: number): number;
  bw_wasm_ask(length: number): number;
  bw_wasm_open(length: number): number;
  bw_wasm_answer(): number;
}

/** Built by wasm/build; if they are missing, the client has no previews. */
const built = import.meta.glob<string>('./boardwalk.wasm', {
  query: '?url',
  import: 'default',
  eager: true,
});

async function load(): Promise<Exports | null> {
  const url = built['./boardwalk.wasm'];
  if (url === undefined) return null;
  try {
    // Streaming, so that the browser keeps what it compiled for the next visit.
    const { instance } = await WebAssembly.instantiateStreaming(fetch(url));
    return instance.exports as unknown as Exports;
  } catch {
    return null; // the network
  }
}

function reply(message: EngineReply): void {
  postMessage(message);
}

function run(exports: Exports, request: EngineRequest): EngineAnswer {
  const file = 'open' in request;
  const bytes = file ? request.open : new TextEncoder().encode(request.ask);
  const at = file ? exports.bw_wasm_file_room(bytes.length) : exports.bw_wasm_room(bytes.length);
  if (at === 0) return { error: 'There is not enough memory.' };
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
  const length = file ? exports.bw_wasm_open(bytes.length) : exports.bw_wasm_ask(bytes.length);
  const answer = new Uint8Array(exports.memory.buffer, exports.bw_wasm_answer(), length);
  return JSON.parse(new TextDecoder().decode(answer)) as EngineAnswer;
}

const loaded = load();
void loaded.then((exports) => {
  reply({ ready: exports !== null });
});

onmessage = async (event: MessageEvent<EngineRequest>) => {
  const exports = await loaded;
  const { id } = event.data;
  let answer: EngineAnswer;
  try {
    answer = exports === null ? { error: 'The engine has not loaded.' } : run(exports, event.data);
  } catch (error) {
    answer = { error: String(error) };
  }
  reply({ id, answer });
};
