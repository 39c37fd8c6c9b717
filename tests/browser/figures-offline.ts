/**
 * Measures docs/FIRST_MINUTE.md, "Without a network" (npm run figures): the time from a game's open card to the
 * player's first turn, on a slow phone that is offline. A page's first game also loads and compiles the browser's hall.
 */
import { writeSection } from "./support/figures.ts";
import { games, way } from "./support/first-minute.ts";
import { test } from "./support/test.ts";

const rounds = 5;

const median = (of: number[]): number =>
  of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)] ?? NaN;

test.use({ expected: [/ERR_INTERNET_DISCONNECTED|Failed to load resource/] });
test.setTimeout(600_000);

test("from a tap to the first move, offline", async ({ player }) => {
  const rows: string[] = [];
  for (const game of games) {
    const first: number[] = [];
    const again: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const page = await player("/", {
        serviceWorkers: "allow",
        viewport: { width: 390, height: 664 },
      });
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (navigator.serviceWorker.controller === null)
          await new Promise((resolve) => {
            navigator.serviceWorker.addEventListener(
              "controllerchange",
              resolve,
              { once: true },
            );
          });
      });
      await page.context().setOffline(true);
      await page.reload();
      const devtools = await page.context().newCDPSession(page);
      await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
      for (const times of [first, again]) {
        await page
          .locator("button.card")
          .filter({ hasText: game.title })
          .click();
        const begun = Date.now();
        for (const name of game.way) await way(page, name).click();
        await game.ready(page);
        times.push((Date.now() - begun) / 1000);
        await page.goto("/");
      }
      await page.context().close();
    }
    rows.push(
      `| ${game.title} | ${median(first).toFixed(1)} | ${median(again).toFixed(1)} |`,
    );
  }
  await writeSection(
    "Without a network",
    `From the open card to a board on which it is one's turn, in seconds, medians of ${rounds}: at 390x664, with the processor
slowed four times. The first game of a page also loads and compiles the browser's hall.

| game | first game | later games |
|---|--:|--:|
${rows.join("\n")}`,
  );
});
