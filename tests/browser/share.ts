/** Makes the pictures that a shared link shows, 1200 by 630 (web/public/share/), and the icons of an installed page
 * (web/public/icons/). */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { test } from './support/test.ts';

const folder = fileURLToPath(new URL('../../web/public/share/', import.meta.url));

test('share pictures', async ({ player }) => {
  const page = await player('/', {
    viewport: { width: 1200, height: 630 },
    colorScheme: 'light',
    // The styles below belong to the picture, not to the page.
    bypassCSP: true,
  });
  const cards = page.locator('.card');
  await cards.first().waitFor();
  const ids = await page.evaluate(async () => {
    const games = (await (await fetch('/api/games')).json()) as { id: string; title: string }[];
    return [...document.querySelectorAll('.card .name')].map(
      (name) => games.find((game) => game.title === name.textContent)?.id ?? '',
    );
  });
  await page.addStyleTag({
    content: `
      .hero { position: fixed !important; inset: 0; z-index: 5; height: 590px !important; }
      .planks { position: fixed; inset: 588px 0 0; z-index: 6; height: auto !important; }
      .tools { display: none; }
      .sign { margin: 0 !important; padding: 0 70px 330px !important; }
      .sign h1 { font-size: 150px !important; }
      .sign p { font-size: 44px !important; }
    `,
  });
  await page.screenshot({ path: `${folder}boardwalk.png` });
  await page.addStyleTag({
    content: `
      .hero, .planks { display: none !important; }
      .card { transform: none !important; }
      .shown { position: fixed !important; inset: 0; z-index: 9; width: 1200px; height: 630px;
        grid-template: 470px 160px / 1200px !important; border: 0 !important; border-radius: 0 !important; }
      .shown .cover { aspect-ratio: auto !important; height: 470px !important; }
      .shown .words { align-content: center !important; padding: 0 60px !important; }
      .shown .name { font-size: 72px !important; }
      .shown .pitch { font-size: 34px !important; }
      .shown .facts { display: none; }
    `,
  });
  for (const [index, id] of ids.entries()) {
    if (id === '') continue;
    await cards.nth(index).evaluate((card) => card.classList.add('shown'));
    await page.screenshot({ path: `${folder}${id}.png` });
    await cards.nth(index).evaluate((card) => card.classList.remove('shown'));
  }
});

test('icons', async ({ browser }) => {
  const at = (path: string): string => fileURLToPath(new URL(`../../web/public/${path}`, import.meta.url));
  const round = await readFile(at('favicon.svg'), 'utf8');
  // Systems that cut icons to their own shape want one without corners.
  const full = round.replace(' rx="15"', '').replace('v15a15 15 0 0 1-15 15H15A15 15 0 0 1 0 49z', 'v30H0z');
  const icons: [string, string, number][] = [
    ['icon-192', round, 192],
    ['icon-512', round, 512],
    ['full-512', full, 512],
    ['touch-180', full, 180],
  ];
  for (const [name, svg, size] of icons) {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${svg}`);
    await page.screenshot({ path: at(`icons/${name}.png`), omitBackground: true });
    await page.close();
  }
});
