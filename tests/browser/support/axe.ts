/**
 * The violations that axe finds on a page. It runs inside the page and returns violations only: AxeBuilder works in
 * pieces, also returns everything that passes, and takes eight times as long on a board of squares.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type * as Axe from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** One line per broken rule, with the elements that break it; only these rules, if any are given. */
export async function violations(page: Page, rules: string[] = []): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(async (rules) => {
    // Elements that fade in or out have no final colours yet.
    const ending = document
      .getAnimations()
      .filter(
        ({ effect, playState }) =>
          playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime),
      );
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { axe } = globalThis as unknown as { axe: typeof Axe };
    const found = await axe.run(document, {
      resultTypes: ['violations'],
      elementRef: true,
      ...(rules.length > 0 ? { runOnly: rules } : {}),
    });
    // With forced colours axe reads a text's own colour, which is not the colour painted on the forced background.
    const forced = matchMedia('(forced-colors: active)').matches;
    const painted = (element: Element | undefined): boolean =>
      element === undefined ||
      getComputedStyle(element).getPropertyValue('forced-color-adjust') === 'none';
    return found.violations.flatMap(({ id, help, nodes }) => {
      const real = nodes.filter(
        ({ element }) => !forced || id !== 'color-contrast' || painted(element),
      );
      const words = real.map(({ html, any }) =>
        [html.slice(0, 160), ...any.map(({ message }) => message)].join(' '),
      );
      return words.length === 0 ? [] : [`${id}: ${help}\n    ${words.join('\n    ')}`];
    });
  }, rules);
}

/** All rules in light, then in dark the rules about colours, which alone differ. One pass checks both. */
export async function violationsInBoth(page: Page): Promise<string[]> {
  const day = await violations(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const night = await violations(page, ['color-contrast']);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...day, ...night.map((one) => `dark: ${one}`)];
}
