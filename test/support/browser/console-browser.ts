import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { buildConsole } from './build-console.ts';
import { hasChromium, launchChromium, watchPage } from './chromium.ts';

export interface ConsoleBrowser {
  /** Opens the console of the gateway at that address, or another page of the gateway, in a new tab. */
  open(gatewayUrl: string, sandboxUrl?: string, path?: string): Promise<Page>;
  /** Removes and returns the problems that the tabs have reported so far, for a test that expects some. */
  takeProblems(): string[];
}

/**
 * Builds the console and starts Chromium. A test fails if one of its tabs logs an error or a warning, or sends a
 * request to another host than the gateway and its sandbox.
 */
export function useConsoleBrowser(): ConsoleBrowser {
  let browser: Browser;
  let pages: Page[] = [];
  const problems: string[] = [];
  const takeProblems = (): string[] => problems.splice(0);
  beforeAll(async () => {
    if (!hasChromium) return;
    await buildConsole();
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  afterEach(async () => {
    for (const page of pages) await page.close();
    pages = [];
    const left = takeProblems();
    if (left.length > 0) throw new Error(left.join('\n'));
  });
  return {
    takeProblems,
    async open(gatewayUrl, sandboxUrl, path = '/console') {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      pages.push(page);
      // Of a machine that others use too.
      page.setDefaultTimeout(120_000);
      watchPage(page, [gatewayUrl, sandboxUrl], problems);
      await page.goto(gatewayUrl + path);
      await page.getByRole('heading').first().waitFor();
      return page;
    },
  };
}
