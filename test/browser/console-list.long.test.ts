import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import type { AppOptions } from '../../src/http/app.ts';
import { linkFact } from '../support/actors/scripted-link.ts';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';

/** The list of many sessions, whose links to Telegram are scripted. */

const hourMs = 3_600_000;

describe.skipIf(!hasChromium)('the console’s list', () => {
  let gate: TestApp;
  // Hooks run in reverse order: the tabs close first, so that they send no request to a closed gateway.
  afterEach(() => gate.close());
  const browser = useConsoleBrowser();

  const open = async (options: Partial<AppOptions> = {}): Promise<string> => {
    gate = await startTestApp(options);
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
    return `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
  };
  const page = async (url: string): Promise<Page> => browser.open(url);
  const report = (id: string, ...[type, login]: Parameters<typeof linkFact>) =>
    gate.links.of(id).report(linkFact(type, login));
  const many = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let made = 0; made < count; made++) ids.push((await gate.session()).id);
    return ids;
  };
  const rows = (list: Page) => list.locator('.rows .row');

  it('[CO3.2] lists the newest 100 sessions, and more on request', async () => {
    const url = await open();
    const ids = await many(250);
    const list = await page(url);
    await list.clock.setFixedTime(gate.clock.now());
    await rows(list).first().waitFor();
    await expect.poll(() => rows(list).count()).toBe(100);
    expect(await rows(list).first().getAttribute('href')).toBe(`#/sessions/${ids.at(-1)}`);
    await list.getByRole('button', { name: 'Show more' }).click();
    await expect.poll(() => rows(list).count()).toBe(200);
    expect(await axeAudit(list, 'many')).toEqual([]);
    await list.getByLabel('Find by ID or name').fill(ids[0] ?? '');
    await list.getByRole('status').filter({ hasText: '1 session found' }).waitFor();
    expect(await rows(list).first().getAttribute('href')).toBe(`#/sessions/${ids[0]}`);
  });

  it('[AD5.1] filters by state, follows changes, and shows why sessions were lost', async () => {
    const url = await open();
    const ids = await many(40);
    for (const id of ids) await report(id, 'LoggedIn', 1);
    for (const [index, id] of ids.slice(0, 24).entries()) {
      await report(id, index % 3 === 0 ? 'LoginLost' : 'ConnectionLost', 1);
      await gate.clock.advance(hourMs);
    }
    await gate.clock.settle();
    const list = await browser.open(url);
    await list.clock.setFixedTime(gate.clock.now());
    const choose = (name: RegExp): Promise<void> => list.locator('.chip', { hasText: name }).click();
    await list.locator('.tile', { hasText: 'Deleted' }).filter({ hasText: '24' }).waitFor();
    await expect.poll(() => rows(list).count()).toBe(16);
    await choose(/^Deleted/);
    await expect.poll(() => rows(list).count()).toBe(24);
    await rows(list).first().click();
    await list.locator('.state-strip .badge', { hasText: 'Deleted' }).waitFor();
    await list.getByRole('tab', { name: 'Timeline' }).click();
    await list.getByRole('list', { name: 'Events, newest first' }).getByText('TimedOut').first().waitFor();
    await list.getByRole('link', { name: 'Session gateway' }).click();
    await choose(/^Disconnected/);
    await list.getByText('No sessions match.').waitFor();
    await report(ids.at(-1) ?? '', 'ConnectionLost', 1);
    await rows(list).first().waitFor();
    expect(await rows(list).first().textContent()).toContain('unreachable');
    await choose(/^Live/);
    expect(await axeAudit(list, 'overview-many')).toEqual([]);
  });

  it('[CO3.1] asks for the API key once, and reports a wrong one', async () => {
    const url = await open({ apiKey: 'open sesame' });
    const list = await page(url);
    const key = list.getByLabel('API key');
    await key.waitFor();
    expect(await axeAudit(list, 'key')).toEqual([]);
    await key.fill('guessed');
    await list.getByRole('button', { name: 'Open console' }).click();
    await list.getByText('Invalid api key').waitFor();
    expect(browser.takeProblems().filter((text) => !text.includes('status of 401'))).toEqual([]);
    await key.fill('open sesame');
    await list.keyboard.press('Enter');
    await list.getByRole('heading', { name: 'Overview' }).waitFor();
    await list.reload();
    await list.getByRole('heading', { name: 'Overview' }).waitFor();
    await list.getByRole('button', { name: 'Forget API key' }).click();
    await key.waitFor();
  });
});
