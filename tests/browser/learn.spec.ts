/** A lesson is played by touch and by keys. The first minute's test looks at the pages of rules. */
import type { Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

async function clean(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

test("Flood-It is learned by touch, with a wrong try on the way", async ({
  player,
}) => {
  const page = await player("/learn/flood_it", {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  const card = page.getByRole("region", { name: "The lesson" });
  const pick = (name: RegExp) =>
    page.getByRole("button", { name }).first().tap();
  await expect(card).toContainText("Pick red");
  await clean(page);
  await pick(/^green/i);
  await expect(card).toContainText("No green square touches your area");
  for (const colour of [/^red/i, /^green/i, /^blue/i, /^red/i]) {
    await pick(colour);
    await card.getByRole("button", { name: "Next" }).tap();
  }
  await expect(card).toContainText("On your own");
});

test("Flooded Island is begun by keys", async ({ player }) => {
  const page = await player("/learn/flooded_island");
  const card = page.getByRole("region", { name: "The lesson" });
  const field = page.getByRole("gridcell", { name: /column 2, row 2/i });
  await expect(field).toHaveAccessibleName(/reachable/i);
  await field.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "End Turn" }).focus();
  await page.keyboard.press("Enter");
  await expect(card).toContainText("the weather flooded two fields");
  await expect(card.getByRole("button", { name: "Next" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(card).toContainText("Dry the land");
});
