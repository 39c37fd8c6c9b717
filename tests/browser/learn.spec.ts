/** A lesson is played by touch and by keys. The test of the first minute checks the pages of rules. */
import type { Locator, Page } from "@playwright/test";
import { violations } from "./support/axe.ts";
import { expect, test } from "./support/test.ts";

async function clean(page: Page): Promise<void> {
  expect(await violations(page)).toEqual([]);
}

/** To the next step: until its board is there, taps are for the last one, which plays no more. */
async function goOn(card: Locator): Promise<void> {
  const next = card.getByRole("button", { name: "Next" });
  await next.tap();
  await expect(next).toHaveCount(0);
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
    await goOn(card);
  }
  await expect(card).toContainText("On your own");
});

test("Flooded Island is started by keys", async ({ player }) => {
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

test("the last card of a lesson is as high as the others, and its buttons are below its text", async ({
  player,
}) => {
  const page = await player("/learn/flooded_island", {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  const card = page.getByRole("region", { name: "The lesson" });
  const field = (cell: string) => page.locator(`[data-cell="${cell}"]`);
  const end = page.getByRole("button", { name: "End Turn" });
  await expect(card).toContainText("Walk");
  const { height } = (await card.boundingBox()) ?? { height: 0 };
  for (const cells of [["1,1"], ["2,2"], ["0,0"], ["2,0"], ["1,0", "0,1"]]) {
    for (const cell of cells) await field(cell).tap();
    await end.tap();
    await goOn(card);
  }
  const play = card.getByRole("button", { name: "Play the easy bot" });
  await play.waitFor();
  expect((await card.boundingBox())?.height).toBeCloseTo(height, 0);
  const below = async (what: string) =>
    (await card.getByText(what).boundingBox())?.y ?? Infinity;
  const { y } = (await play.boundingBox()) ?? { y: 0 };
  expect(await below("Now play")).toBeLessThan(await below("You know the island"));
  expect(await below("You know the island")).toBeLessThan(y);
});

test("after a wrong square in Flag War the piece is still chosen, and the board's answer is read", async ({
  player,
}) => {
  const page = await player("/learn/flag_war", {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  const card = page.getByRole("region", { name: "The lesson" });
  const square = (cell: string) => page.locator(`[data-cell="${cell}"]`);
  await square("2,6").tap();
  await square("3,4").tap();
  await expect(card).toContainText("Pieces move in straight lines only");
  await expect(square("2,6")).toHaveAttribute("aria-selected", "true");
  await square("2,6").tap();
  await square("2,2").tap();
  await expect(card).toContainText("That is Red’s piece.");
  await square("2,6").tap();
  await square("2,4").tap();
  await expect(card).toContainText("Both teams moved at once.");
});

test("a lesson on a small phone shows all its buttons, and none that leads out of it", async ({
  player,
}) => {
  const page = await player("/learn/flood_it", {
    viewport: { width: 390, height: 664 },
    hasTouch: true,
  });
  await expect(page.getByRole("button", { name: "Undo" })).toBeInViewport({ ratio: 1 });
  for (const name of ["New", "Details"])
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
});
