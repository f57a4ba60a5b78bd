import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { linkFact } from '../support/actors/scripted-link.ts';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';
import { asOwner, issueKey, ownerKey } from '../support/gateway/issue-key.ts';

/** The customers' links in the console. */

describe.skipIf(!hasChromium)('the console’s links', () => {
  let gate: TestApp;
  // Hooks run in reverse order: the tabs close first, so that they send no request to a closed gateway.
  afterEach(() => gate.close());
  const browser = useConsoleBrowser();

  const open = async (address: string): Promise<Page> => {
    const url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
    const page = await browser.open(url, undefined, `/console/${address}`);
    await page.clock.setFixedTime(gate.clock.now());
    await page.getByLabel('API key').fill(ownerKey);
    await page.keyboard.press('Enter');
    return page;
  };
  const start = async (): Promise<void> => {
    gate = await startTestApp({ apiKey: ownerKey });
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
  };
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const madeUrl = (page: Page): Promise<string> => page.getByRole('dialog').getByLabel('Link').inputValue();
  const openLink = (url: string) =>
    gate.call('POST', '/link/session', { headers: { 'link-token': new URL(url).hash.slice(1) } });

  it('[OS5.11] are made, listed and revoked', async () => {
    await start();
    const page = await open('#/links');
    await page.getByText('No links here.').waitFor();
    await press(page, 'New customer link');
    await page.getByLabel('Label', { exact: true }).fill('Shop 7');
    await page.getByLabel('Ends after').selectOption('7 days');
    expect(await axeAudit(page, 'new-link')).toEqual([]);
    await press(page, 'Make the link');
    const url = await madeUrl(page);
    expect(url).toMatch(/^http:\/\/media\.test\/link\/#/);
    expect(await axeAudit(page, 'made-link')).toEqual([]);
    await press(page, 'Done');
    const row = page.locator('tbody tr', { hasText: 'Shop 7' });
    await row.getByText('not opened yet').waitFor();
    await row.getByText('ends in 6 d').waitFor();
    expect(await axeAudit(page, 'links')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await axeAudit(page, 'links-mobile')).toEqual([]);
    await press(page, 'Revoke');
    await press(page, 'Revoke the link');
    await page.getByText('No links here.').waitFor();
    await page.locator('.chip', { hasText: 'Revoked' }).click();
    await row.waitFor();
    expect((await openLink(url)).status).toBe(404);
  });

  it('[OS5.11] lead from a session to its customer’s page, by its external ID', async () => {
    await start();
    const { body } = await gate.call('POST', '/session', { headers: asOwner, body: { label: 'Shop 8' } });
    const id = String(body['id']);
    const page = await open(`#/sessions/${id}`);
    await press(page, 'Customer link');
    await page.getByLabel('External ID').fill('shop-8');
    await press(page, 'Make the link');
    const url = await madeUrl(page);
    await press(page, 'Done');
    await page.getByRole('heading', { name: 'Shop 8 · shop-8' }).waitFor();
    expect((await openLink(url)).status).toBe(200);
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.locator(`tbody a[href="#/sessions/${id}"]`).waitFor();
    await gate.links.of(id).report(linkFact('LoggedIn', 1));
    await page.getByText('No links here.').waitFor();
  });

  it('[OS5.11] are not made of a session whose tenant another key has', async () => {
    await start();
    const { headers } = await issueKey(gate, ['sessions:create'], { tenant: 'acme' });
    const { body } = await gate.call('POST', '/session', { headers, body: { externalId: 'shop-9' } });
    const page = await open(`#/sessions/${String(body['id'])}`);
    await press(page, 'Customer link');
    await press(page, 'Make the link');
    await page.getByText('The session is of the tenant acme: only a key of that tenant makes its link').waitFor();
    const { body: links } = await gate.call('GET', '/links?state=any', { headers: asOwner });
    expect((links['docs'] as { state: string }[]).map(({ state }) => state)).toEqual(['withdrawn']);
  });
});
