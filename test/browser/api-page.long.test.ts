import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';

/** The page of the API document, as the console's tests watch it: no errors, no requests to other hosts. */

describe.skipIf(!hasChromium)('the page of the API', () => {
  let gate: TestApp;
  afterEach(() => gate.close());
  const browser = useConsoleBrowser();

  it.each(['/docs', '/docs/'])(
    '[OA1.1] [OA1.7] shows every operation at %s, and sends one with the keys of the tab',
    async (path) => {
      gate = await startTestApp({ apiKey: 'open sesame' });
      await gate.app.listen({ host: '127.0.0.1', port: 0 });
      const url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
      const page = await browser.open(url, undefined, path);
      expect(await page.title()).toBe('API · Session gateway');
      await page.locator('.opblock').first().waitFor();
      const operations = Object.values(gate.app.swagger().paths ?? {}).flatMap((methods) => Object.keys(methods ?? {}));
      // It follows the system, as it is now and when it changes.
      const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      for (const [colorScheme, color] of [
        ['dark', 'rgb(28, 32, 34)'],
        ['light', 'rgba(0, 0, 0, 0)'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(ground).toBe(color);
      }
      // Webhooks are shown like operations.
      expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(operations.length);

      await page.getByRole('button', { name: 'Authorize' }).click();
      const key = page.locator('.auth-container', { hasText: 'x-api-key' }).last();
      await key.locator('input').fill('open sesame');
      await key.getByRole('button', { name: 'Apply credentials' }).or(key.locator('button.authorize')).first().click();
      await key.getByRole('button', { name: 'Close' }).click();
      // A reload would open the operation that the address names.
      const reopen = async (): Promise<void> => {
        await page.goto('about:blank');
        await page.goto(`${url}${path}`);
      };
      await createsSession(page, '200');
      await reopen();
      await createsSession(page, '200');
      expect(await page.evaluate('localStorage.length')).toBe(0);
      await page.getByRole('button', { name: 'Authorize' }).click();
      await page
        .getByRole('button', { name: 'Remove authorization' })
        .or(page.getByRole('button', { name: 'Logout' }))
        .first()
        .click();
      await reopen();
      await createsSession(page, '401');
      expect(browser.takeProblems().filter((text) => !text.includes('401'))).toEqual([]);
    },
  );

  /** Sends `POST /session` from the page. */
  async function createsSession(page: Page, status: string): Promise<void> {
    const create = page.locator('.opblock', { hasText: 'Create a session' });
    await create.locator('button').first().click();
    await create.getByRole('button', { name: 'Execute' }).click();
    const answer = create.locator('.live-responses-table .response .response-col_status');
    await answer.filter({ hasText: status }).waitFor();
  }
});
