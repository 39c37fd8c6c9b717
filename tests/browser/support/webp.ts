import type { Page } from '@playwright/test';

/** A picture of the page as one WebP file. */
export async function webp(page: Page, quality: number): Promise<Buffer> {
  const png = (await page.screenshot()).toString('base64');
  const coded = await page.evaluate(
    async ([png, quality]) => {
      const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    [png, quality] as const,
  );
  return Buffer.from(coded);
}
