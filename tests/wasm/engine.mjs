// The WebAssembly build, as the tests use it: see wasm/api.h.
import { readFileSync } from 'node:fs';

export function load(path) {
  const module = new WebAssembly.Module(readFileSync(path));
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) throw new Error(`${path} imports ${imports.map((i) => i.name).join(', ')}`);
  const wasm = new WebAssembly.Instance(module).exports;
  const put = (room, text) => {
    const bytes = new TextEncoder().encode(text);
    const at = room(bytes.length) >>> 0;
    if (at === 0) throw new Error('no room');
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    return bytes.length;
  };
  const read = (length) =>
    JSON.parse(new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.bw_wasm_answer() >>> 0, length >>> 0)));
  return {
    ask: (request) => read(wasm.bw_wasm_ask(put(wasm.bw_wasm_room, JSON.stringify(request)))),
    askText: (text) => read(wasm.bw_wasm_ask(put(wasm.bw_wasm_room, text))),
    open: (text) => read(wasm.bw_wasm_open(put(wasm.bw_wasm_file_room, text))),
    pages: () => wasm.memory.buffer.byteLength / 65536,
  };
}
