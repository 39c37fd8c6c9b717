/** The worker that runs the bots of this browser's hall. */
import { Thinker } from './hall';
import type { FromThinker, ToThinker } from './messages';

let module: WebAssembly.Module | null = null;
let thinker: Thinker | null = null;

onmessage = ({ data }: MessageEvent<ToThinker>) => {
  if ('module' in data) {
    module = data.module;
    return;
  }
  const { task } = data;
  let answer: Uint8Array | null = null;
  try {
    if (module !== null) thinker ??= new Thinker(module, () => performance.now());
    answer = thinker?.think(task) ?? null;
  } catch {
    thinker = null; // out of memory: the next request starts again
  }
  postMessage({ work: task.work, answer } satisfies FromThinker);
};
