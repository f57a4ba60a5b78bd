import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Debian's package installs it. */
const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const hasChromium = existsSync(executablePath);
if (!hasChromium) process.stderr.write(`no chromium at ${executablePath}: the browser tests are skipped\n`);

export const launchChromium = (): Promise<Browser> => chromium.launch({ executablePath, args });

/**
 * Adds a line to `problems` for every error and warning on the page's console, every uncaught exception, and every
 * request to another origin than the allowed ones.
 */
export function watchPage(page: Page, allowedOrigins: readonly (string | undefined)[], problems: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && !allowedOrigins.includes(origin)) problems.push(`request to ${request.url()}`);
  });
}
