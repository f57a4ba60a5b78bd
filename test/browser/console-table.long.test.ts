import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { linkFact } from '../support/actors/scripted-link.ts';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';
import { asOwner, issueKey, ownerKey } from '../support/gateway/issue-key.ts';

/** The page of all sessions: a table whose filters and order are in the address. */

describe.skipIf(!hasChromium)('the console’s table', () => {
  let gate: TestApp;
  // Hooks run in reverse order: the tabs close first, so that they send no request to a closed gateway.
  afterEach(() => gate.close());
  const browser = useConsoleBrowser();

  const open = async (address: string, key?: string): Promise<Page> => {
    const url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
    const page = await browser.open(url, undefined, `/console/${address}`);
    if (key !== undefined) {
      await page.getByLabel('API key').fill(key);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    await page.clock.setFixedTime(gate.clock.now());
    return page;
  };
  const start = async (apiKey?: string): Promise<void> => {
    gate = await startTestApp(apiKey === undefined ? {} : { apiKey });
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
  };
  const create = async (names: object = {}, headers: Record<string, string> = {}): Promise<string> => {
    const { body } = await gate.call('POST', '/session', { headers, body: names });
    return String(body['id']);
  };
  const report = (id: string, ...[type, login]: Parameters<typeof linkFact>) =>
    gate.links.of(id).report(linkFact(type, login));
  const names = (page: Page): Promise<string[]> => page.locator('tbody .cell > a').allTextContents();

  it('[CO9.1] pages, sorts and filters on the server, with all of it in the address', async () => {
    await start();
    const ids: string[] = [];
    for (let count = 1; count <= 130; count++) {
      ids.push(await create({ label: `Desk ${count}`, externalId: `shop-${count}` }));
      if (count % 10 === 0) await gate.clock.advance(1_000);
    }
    await report(ids[6] ?? '', 'LoggedIn', 1);
    await gate.clock.settle();
    const page = await open('#/sessions');
    await expect.poll(() => names(page)).toHaveLength(100);
    expect((await names(page)).slice(0, 2)).toEqual(['Desk 130', 'Desk 129']);
    expect(await axeAudit(page, 'sessions')).toEqual([]);
    const focused = (): Promise<string | null> => page.locator(':focus').textContent();
    for (const [key, name] of [
      ['j', 'Desk 130'],
      ['j', 'Desk 129'],
      ['k', 'Desk 130'],
      ['k', 'Desk 130'],
    ] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(name);
    }
    await page.getByRole('link', { name: 'Next page' }).click();
    await expect.poll(() => names(page)).toHaveLength(30);
    expect((await names(page)).at(-1)).toBe('Desk 1');
    await page.goBack();
    await expect.poll(() => names(page)).toHaveLength(100);

    await page.getByRole('link', { name: 'Since' }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('Desk 7');
    expect(page.url()).toMatch(/#\/sessions\?sort=-since$/);
    expect(await page.getByRole('columnheader', { name: 'Since' }).getAttribute('aria-sort')).toBe('descending');

    await page.keyboard.press('/');
    await page.keyboard.type('SHOP-12');
    await expect.poll(() => names(page)).toHaveLength(11);
    expect(page.url()).toContain('q=SHOP-12');
    await page.reload();
    await expect.poll(() => names(page)).toHaveLength(11);
    expect(await page.getByLabel('Find by a part of').inputValue()).toBe('SHOP-12');
    await page.locator('.chip', { hasText: /^Connected/ }).click();
    await page.getByText('No sessions match.').waitFor();
    await report(ids[119] ?? '', 'LoggedIn', 1);
    await expect.poll(() => names(page)).toEqual(['Desk 120']);
    await page.getByRole('link', { name: 'Desk 120' }).click();
    await page.getByRole('heading', { name: 'Desk 120 · shop-120' }).waitFor();
  });

  it('[CO9.2] does the same with several sessions, and shows which it failed for', async () => {
    await start(ownerKey);
    const ids: string[] = [];
    for (let count = 1; count <= 12; count++) ids.push(await create({ label: `Desk ${count}` }, asOwner));
    const page = await open('#/sessions?sort=created', ownerKey);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByLabel('Select all on this page').check();
    await page.getByLabel('Select Desk 1', { exact: true }).uncheck();
    await page.getByText('11 sessions selected').waitFor();
    expect(await axeAudit(page, 'sessions-mobile')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await page.getByRole('dialog').textContent()).toContain('Delete 11 sessions?');
    // Deleted by another operator meanwhile.
    await page.route(`**/sessions/${ids[4]}`, async (route) => {
      if (route.request().method() === 'DELETE') await gate.call('DELETE', `/sessions/${ids[4]}`, { headers: asOwner });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Delete them' }).click();
    await page.getByText('11 of 11 done, 1 failed').waitFor();
    await expect.poll(() => names(page)).toEqual(['Desk 1']);
    await page.locator('.chip', { hasText: 'Deleted' }).click();
    await expect.poll(() => names(page)).toHaveLength(11);
    expect(browser.takeProblems().filter((text) => !text.includes('status of 404'))).toEqual([]);
  });

  it('[CO9.3] loads nothing while nothing changes, and dims all when the gateway is gone', async () => {
    await start();
    const id = await create({ label: 'Desk' });
    const page = await open('#/sessions');
    await page.clock.install({ time: gate.clock.now() });
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).pathname));
    const lists = (): number => requests.filter((path) => path === '/sessions').length;
    await page.reload();
    // Once at first, and once more when the stream is open.
    await expect.poll(lists).toBe(2);
    await expect.poll(() => names(page)).toEqual(['Desk']);
    requests.length = 0;
    await page.clock.runFor(60_000);
    expect(requests).toEqual([]);
    await report(id, 'LoggedIn', 1);
    await page.locator('tbody .badge', { hasText: 'Connected' }).waitFor();
    expect(new Set(requests)).toEqual(new Set(['/sessions', '/sessions/stats']));
    expect(await page.locator('.not-live').count()).toBe(0);
    await gate.app.close();
    await page.getByText(/^Not live since \d\d:\d\d:\d\d: 127\.0\.0\.1:\d+ does not respond\. Retrying…$/).waitFor();
    expect(await page.locator('.layout.not-live').count()).toBe(1);
    expect(await page.locator('tbody .badge').textContent()).toBe('Connected');
    expect(browser.takeProblems().filter((text) => !/ERR_(CONNECTION|INCOMPLETE)/.test(text))).toEqual([]);
  });

  it('[OS1.6] creates a session with a label and an external ID, and says what is wrong with them', async () => {
    await start();
    await create({ externalId: 'berlin' });
    const page = await open('#/sessions');
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label', { exact: true }).fill('x'.repeat(65));
    await page.keyboard.press('Enter');
    await dialog.getByText('Label must be shorter than or equal to 64 characters').waitFor();
    await dialog.getByLabel('Label', { exact: true }).fill('Rome desk');
    await dialog.getByLabel('External ID').fill('berlin');
    await page.keyboard.press('Enter');
    await dialog.getByText('ExternalId is used by session').waitFor();
    expect(await axeAudit(page, 'new-session')).toEqual([]);
    await dialog.getByLabel('External ID').fill('rome');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rome desk · rome' }).waitFor();

    await page.getByRole('button', { name: 'Label and external ID' }).click();
    await page.getByLabel('Label', { exact: true }).fill('Paris desk');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Paris desk' }).waitFor();
    expect(browser.takeProblems().filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  it('[CO9.2] says in each row what a key may not do', async () => {
    await start(ownerKey);
    await create({ label: 'Desk' }, asOwner);
    const { key } = await issueKey(gate, ['sessions:read']);
    const page = await open('#/sessions', key);
    await page.getByLabel('Select Desk').check();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.locator('tbody tr', { hasText: 'scope sessions:control is required' }).waitFor();
    await page.getByText('1 of 1 done, 1 failed and still selected').waitFor();
    expect(browser.takeProblems().filter((text) => !text.includes('status of 403'))).toEqual([]);
  });
});
