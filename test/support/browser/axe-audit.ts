import axe from 'axe-core';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect } from 'vitest';

const formRules: readonly string[] = ['button-name', 'color-contrast', 'label'];

/** A folder for pictures of every screen: `CONSOLE_SCREENSHOTS=docs/images` updates those in the documentation. */
const screenshotFolder = process.env['CONSOLE_SCREENSHOTS'];

/**
 * Audits the page in light and in dark mode, and takes its pictures if a folder for them is set.
 * @param name of the screen, in the pictures' file names
 * @param mustPass rules of axe that have something to look at on this page. Default: those of a page with a form
 * @returns one line for each element that violates a rule of axe
 */
export async function axeAudit(page: Page, name: string, mustPass = formRules): Promise<string[]> {
  const violations: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    violations.push(...(await violationsOn(page, mustPass)));
    if (screenshotFolder !== undefined) {
      await writePicture(await page.screenshot(), `${screenshotFolder}/console-${name}-${colorScheme}.png`);
    }
  }
  return violations;
}

/** A palette of 256 colours is enough for these pages, and makes the file a third of the size. */
async function writePicture(picture: Buffer, file: string): Promise<void> {
  await sharp(picture).png({ palette: true, compressionLevel: 9 }).toFile(file);
}

/** The script is evaluated from outside, because the page's Content-Security-Policy blocks foreign scripts. */
async function violationsOn(page: Page, mustPass: readonly string[]): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate<axe.AxeResults>('axe.run()');
  // An empty page would violate nothing. Under an open dialog axe cannot tell the contrast.
  const passed = passes.map(({ id }) => id);
  const hasDialog = (await page.locator('dialog[open]').count()) > 0;
  expect(passed).toEqual(expect.arrayContaining(hasDialog ? ['button-name'] : [...mustPass]));
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${String(target)} ${failureSummary}`),
  );
}
