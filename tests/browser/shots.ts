/** A picture of every screen, in three sizes, light and dark: shots/{screen}-{width}-{scheme}.png. */
import { fileURLToPath } from 'node:url';
import { button, fields, makeRoom, more, says, sit, start, walk } from './support/island.ts';
import { test } from './support/test.ts';

const folder = fileURLToPath(new URL('shots/', import.meta.url));
const sizes = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];

for (const viewport of sizes) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`${viewport.width} ${colorScheme}`, async ({ player, expected }) => {
      test.slow();
      expected.push(/404/);
      const options = { viewport, colorScheme };
      const page = await player('/', options);
      const shot = async (name: string, of = page): Promise<void> => {
        await of.waitForTimeout(550);
        await of.screenshot({ path: `${folder}${name}-${viewport.width}-${colorScheme}.png` });
      };
      await button(page, /^Flooded Island/).waitFor();
      await shot('home');
      await button(page, 'Settings').click();
      await shot('settings');
      await page.keyboard.press('Escape');
      await makeRoom(page);
      await shot('room-new');
      await sit(page, 'Adventurer');
      await shot('room-waiting');
      await button(page, 'QR code').click();
      await shot('room-qr');
      const path = new URL(page.url()).pathname;
      const weather = await player(path, options);
      await sit(weather, 'Weather');
      await shot('room-ready');
      await shot('room-other-side', weather);
      const watcher = await player(path, options);
      await shot('room-full', watcher);
      await start(page);
      await fields(page, /reachable/).first().waitFor();
      await shot('island-day');
      for (let day = 1; day <= 6; day += 1) {
        await walk(page, day);
        await says(weather, `Your turn, night ${day}`).waitFor();
        const near = day + 1;
        for (const cell of [`${near},${day - 1}`, `${near},${near}`]) {
          const field = weather.locator(`[data-cell="${cell}"][data-field="dry"]`);
          if ((await field.count()) > 0) await field.click();
        }
        if (day === 5) {
          await shot('island-night', weather);
          await shot('island-night-other', page);
        }
        await button(weather, 'End Turn').click();
      }
      await fields(page, /reachable/).first().waitFor();
      await fields(page, /reachable/).first().click();
      await shot('island-chosen');
      await shot('island-watching', watcher);
      await more(page).click();
      await shot('menu');
      await page.keyboard.press('Escape');
      await weather.goto('/');
      await says(page, 'Waiting for opponent...').waitFor();
      await shot('island-paused');
      await weather.goto(path);
      await says(page, 'Your turn, day 7').waitFor();
      const second = await page.context().newPage();
      await second.goto(path);
      await says(second, 'Your turn, day 7').waitFor();
      await shot('second-tab');
      await more(second).click();
      await button(second, 'Resign').click();
      await shot('resign', second);
      await second.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
      await says(second, 'You lost').waitFor();
      await shot('over-lost', second);
      await shot('over-won', weather);
      await second.getByRole('link', { name: 'Replay' }).click();
      await button(second, 'Next').click();
      await shot('replay', second);
      await second.goto('/game/x');
      await shot('wrong-link', second);
    });
  }
}
