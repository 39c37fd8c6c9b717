/** The worker around boardwalk.wasm; see engine.svelte.ts for what it is asked. */
import type { EngineReply, EngineRequest } from './engine.svelte';

function reply(message: EngineReply): void {
  postMessage(message);
}

// The WebAssembly build is not part of the client yet: no previews.
reply({ ready: false });

onmessage = (event: MessageEvent<EngineRequest>) => {
  reply({ id: event.data.id, answer: null });
};
