// How long a Flood-It hint takes in a browser, from the page's request to the worker's answer, and how many are proven
// within 20 ms.
//
//   node bench/hints.mjs [BOARDS] [SETTINGS]        100 default boards; SETTINGS as in a link: rows=14&colors=6
//
// Serves build/boardwalk's pages on PORT (9360), opens them in Chromium (CHROMIUM names another one), and presses the
// hint key on each board. `first` are the first hints of newly opened pages, on a tenth of the boards; `played` are the
// hints of every position up to the end, on a twentieth of them; `next` are those of one page that creates board after
// board. Requires what tests/browser installs.
//
// Most of the time is the browser's. If a key changes something on the screen (here the focus ring, after the clicks
// that created the board), Chromium holds back all messages until it has drawn the next frame, up to 16.7 ms at 60 Hz.
// If the machine does other work, compare the worker's times only.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { chromium } = createRequire(new URL('../tests/browser/package.json', import.meta.url))(
  '@playwright/test',
);

const LIMIT = 20;
const boards = Number(process.argv[2] ?? 100);
const settings = process.argv[3] ?? '';

/** Runs in the page: records when a hint is requested and when its answer arrives. */
function watch() {
  window.hints = [];
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (message, ...more) {
    if (
      typeof message?.ask === 'string' &&
      message.ask.startsWith('{"ask":"hint"') &&
      message.ask.endsWith('"actions":[],"effort":100}')
    ) {
      const asked = performance.now();
      const receive = (event) => {
        if (event.data.id !== message.id) return;
        this.removeEventListener('message', receive);
        window.hints.push({
          ms: performance.now() - asked,
          worker: event.data.took,
          proven: event.data.answer.hint?.proven === true,
          left: event.data.answer.hint?.moves_left ?? 0,
        });
      };
      this.addEventListener('message', receive);
    }
    return post.call(this, message, ...more);
  };
}

/** Runs in the worker: adds to each answer how long it took. */
function time() {
  let began = 0;
  self.addEventListener('message', () => {
    began = performance.now();
  });
  const post = self.postMessage.bind(self);
  self.postMessage = (message) => {
    post({ ...message, took: performance.now() - began });
  };
}

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hints-'));
const port = process.env.PORT ?? '9360';
const server = spawn(join(root, 'build/boardwalk'), ['serve'], {
  cwd: root,
  env: {
    ...process.env,
    BACKEND_PORT: port,
    DATABASE: join(folder, 'boardwalk.db'),
    LOG_LEVEL: 'warn',
  },
  stdio: 'inherit',
});
process.on('exit', () => server.kill());
for (let ready = false; !ready;) {
  if (server.exitCode !== null) process.exit(1);
  ready = (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok === true;
  if (!ready) await new Promise((resolve) => setTimeout(resolve, 50));
}
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});

async function open(seed) {
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.addInitScript(watch);
  await page.route(/\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${time})();${await response.text()}` });
  });
  await page.goto(`http://127.0.0.1:${port}/play/flood_it?${settings}&seed=${seed}`);
  // As a player finds it: engine loaded, squares counted.
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  return page;
}

async function hint(page, count) {
  // The board has settled, as when a player looks at it and does not know how to continue.
  await page.waitForFunction(() => document.getAnimations().length === 0, null, { polling: 50 });
  await page.keyboard.press('h');
  await page.waitForFunction((n) => window.hints[n] !== undefined, count, {
    polling: 50,
  });
}

const first = [];
for (let n = 0; n < boards / 10; n += 1) {
  const page = await open(`bench ${n}`);
  await hint(page, 0);
  first.push(...(await page.evaluate(() => window.hints)));
  await page.close();
}

const played = [];
for (let n = 0; n < boards / 20; n += 1) {
  const page = await open(`bench ${n}`);
  for (let left = 2, moves = 0; left > 1; moves += 1) {
    await hint(page, moves);
    left = await page.evaluate((n) => window.hints[n].left, moves);
    await page.keyboard.press(await page.locator('.hinted').getAttribute('aria-keyshortcuts'));
    await page.locator('.hinted').waitFor({ state: 'detached' });
  }
  played.push(...(await page.evaluate(() => window.hints)));
  await page.close();
}

const page = await open('bench 0');
for (let n = 0; n < boards; n += 1) {
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByLabel('Seed').fill(`bench ${n}`);
  await page.getByRole('button', { name: 'Make this board' }).click();
  await page.getByText(`bench ${n}`, { exact: true }).waitFor();
  await page.locator('.joins').filter({ hasText: /^\d+$/ }).first().waitFor();
  await hint(page, n);
}
const next = await page.evaluate(() => window.hints);

const at = (times, q) => times[Math.min(times.length - 1, Math.floor(times.length * q))].toFixed(1);
for (const [name, hints] of Object.entries({ first, played, next })) {
  const times = hints.map((one) => one.ms).sort((a, b) => a - b);
  const good = hints.filter((one) => one.proven && one.ms <= LIMIT).length;
  const workers = hints.map((one) => one.worker).sort((a, b) => a - b);
  const proven = hints.filter((one) => one.proven).length;
  console.log(
    `${name.padEnd(6)} ${good} of ${hints.length} proven within ${LIMIT} ms, ${proven} proven; ` +
      `median ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, most ${at(times, 1)} ms; ` +
      `the worker alone: median ${at(workers, 0.5)} ms, p99 ${at(workers, 0.99)} ms, most ${at(workers, 1)} ms`,
  );
}
await browser.close();
server.kill();
rmSync(folder, { recursive: true });
