import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { buildConsole } from '../support/build-console.ts';

const executablePath = '/usr/bin/chromium';
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];

export const hasBrowser = existsSync(executablePath);
if (!hasBrowser) process.stderr.write(`no chromium at ${executablePath}: the tests of the console in it are skipped\n`);

export interface ConsoleBrowser {
  /** A new tab with the console of the gateway at that address, or another page of it. */
  open(gatewayUrl: string, sandboxUrl?: string, path?: string): Promise<Page>;
  /** What the tabs complained of so far; they are asked no more. */
  complaints(): string[];
}

/**
 * Chromium, and the console as it is built. A test fails when its page says an error or a warning on its console, or
 * asks anything of others than the gateway and its sandbox.
 */
export function useConsoleBrowser(): ConsoleBrowser {
  let browser: Browser;
  let pages: Page[] = [];
  let complaints: string[] = [];
  beforeAll(async () => {
    if (!hasBrowser) return;
    await buildConsole();
    browser = await chromium.launch({ executablePath, args });
  }, 120_000);
  afterAll(() => browser?.close());
  const takeComplaints = (): string[] => {
    const taken = complaints;
    complaints = [];
    return taken;
  };
  afterEach(async () => {
    for (const page of pages) await page.close();
    pages = [];
    const said = takeComplaints();
    if (said.length > 0) throw new Error(said.join('\n'));
  });
  return {
    complaints: takeComplaints,
    async open(gatewayUrl, sandboxUrl, path = '/console') {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      pages.push(page);
      page.setDefaultTimeout(30_000);
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type()))
          complaints.push(`${message.text()} ${message.location().url}`);
      });
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('request', (request) => {
        const { origin, protocol } = new URL(request.url());
        if (protocol !== 'data:' && ![gatewayUrl, sandboxUrl].includes(origin)) {
          complaints.push(`asked ${request.url()}`);
        }
      });
      await page.goto(gatewayUrl + path);
      await page.getByRole('heading').first().waitFor();
      return page;
    },
  };
}
