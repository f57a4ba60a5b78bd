import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { openScene, type Scene } from '../e2e/scene.ts';
import { hasChromium, launchChromium, watchPage } from './chromium.ts';

export interface PhonePage {
  readonly scene: Scene;
  /** The page of the sandbox's phones, in a new tab for each test. */
  readonly page: Page;
  /** Chooses a chat by its name. */
  open(chat: string): Promise<void>;
  /** Removes and returns the problems so far, for a test that expects some. */
  takeProblems(): string[];
}

/** A gateway, its sandbox with its first accounts, and the sandbox's page. A test fails if the page reports a problem. */
export function usePhonePage(): PhonePage {
  let browser: Browser;
  let scene: Scene;
  let page: Page;
  const problems: string[] = [];
  beforeAll(async () => {
    if (!hasChromium) return;
    browser = await launchChromium();
    scene = await openScene();
  });
  afterAll(async () => {
    await browser?.close();
    await scene?.close();
  });
  beforeEach(async () => {
    await scene.sandbox.call('POST', '/reset');
    problems.length = 0;
    page = await browser.newPage();
    page.setDefaultTimeout(60_000);
    watchPage(page, [scene.sandbox.url], problems);
    await page.goto(scene.sandbox.url);
    await page.getByLabel('Account').locator('option').first().waitFor({ state: 'attached' });
  });
  afterEach(async () => {
    await page.close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  });
  return {
    takeProblems: () => problems.splice(0),
    get scene() {
      return scene;
    },
    get page() {
      return page;
    },
    async open(chat) {
      await page.getByRole('navigation').getByRole('button', { name: chat }).click();
      await page.getByRole('heading', { name: chat, exact: true }).waitFor();
    },
  };
}
