import axe from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';

/** A folder for pictures of every screen: `CONSOLE_SCREENSHOTS=docs/images` makes those of the documents anew. */
const folder = process.env['CONSOLE_SCREENSHOTS'];

/** What axe objects to on the page, light and dark; its picture is taken where that is wanted. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  const objections: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    objections.push(...(await objectionsTo(page)));
    if (folder !== undefined) await keep(await page.screenshot(), `${folder}/console-${name}-${colorScheme}.png`);
  }
  return objections;
}

/** 256 colours are plenty for a page, and a third of the size. */
async function keep(picture: Buffer, file: string): Promise<void> {
  await sharp(picture).png({ palette: true, compressionLevel: 9 }).toFile(file);
}

/** One line for each element that axe objects to. Its script runs from outside: the page itself lets none in. */
async function objectionsTo(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>('axe.run()');
  // Not for want of anything to look at. What lies under an open question has no contrast that could be told.
  const passed = passes.map(({ id }) => id);
  const isAsking = (await page.locator('dialog[open]').count()) > 0;
  expect(passed).toEqual(
    expect.arrayContaining(isAsking ? ['button-name'] : ['button-name', 'color-contrast', 'label']),
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`),
  );
}
