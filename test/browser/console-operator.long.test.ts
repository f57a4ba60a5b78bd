import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';
import { asOwner, issueKey, ownerKey } from '../support/gateway/issue-key.ts';

/** What an operator does in the console with sessions whose secret the tab does not have. */

describe.skipIf(!hasChromium)('the console’s operator', () => {
  let gate: TestApp;
  // Hooks run in reverse order: the tabs close first, so that they send no request to a closed gateway.
  afterEach(() => gate.close());
  const browser = useConsoleBrowser();

  const webhook = { url: 'https://crm.example/hook', token: 'whsec' };
  const openSession = async (names: object, key = ownerKey): Promise<{ page: Page; id: string; secret: string }> => {
    const { body } = await gate.call('POST', '/session', { headers: asOwner, body: { ...names, webhook } });
    const page = await browser.open(`http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`);
    await page.getByLabel('API key').fill(key);
    await page.keyboard.press('Enter');
    const id = String(body['id']);
    await page.locator(`a[href="#/sessions/${id}"]`).first().click();
    await page.getByRole('button', { name: 'Rename' }).waitFor();
    return { page, id, secret: String(body['sessionId']) };
  };
  const listen = async (): Promise<void> => {
    gate = await startTestApp({ apiKey: ownerKey });
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
  };
  const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
  const factsOf = async (id: string): Promise<unknown[]> => {
    const { body } = await gate.call('GET', `/sessions/${id}/events`, { headers: asOwner });
    return (body['docs'] as { type: string; data: { by?: string } }[]).map(({ type }) => type);
  };

  it('[OS2.3] [CO10.1] renames, gives a new secret once, turns the webhook off, resets and deletes', async () => {
    await listen();
    const { page, id, secret } = await openSession({ label: 'Berlin desk', externalId: 'c-1' });
    await page.getByRole('heading', { name: 'Berlin desk · c-1' }).waitFor();

    await press(page, 'Rename');
    await page.getByLabel('Label', { exact: true }).fill('Rome desk');
    expect(await axeAudit(page, 'rename')).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Rome desk · c-1' }).waitFor();

    await press(page, 'Webhook off');
    await press(page, 'Turn off');
    await page.getByText('The webhook is off.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Webhook off' }).count()).toBe(0);

    await press(page, 'New secret');
    await press(page, 'Make a new secret');
    const made = await page.getByRole('dialog').getByLabel('sessionId').inputValue();
    expect(made).not.toBe(secret);
    const read = async (sessionId: string): Promise<number> =>
      (await gate.call('GET', '/session', { headers: { id, 'session-id': sessionId } })).status;
    expect([await read(secret), await read(made)]).toEqual([404, 200]);
    expect(await axeAudit(page, 'secret')).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy sessionId' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(made);
    await press(page, 'Done');
    // The tab has the secret: it is the session's owner now.
    await page.getByText('Scan to log in').waitFor();
    expect(await page.getByText('Owner access').count()).toBe(0);

    const code = page.locator('section', { hasText: 'Use it from code' });
    await code.locator('label', { hasText: 'Python' }).click();
    await code.getByText('urllib.request').first().waitFor();
    expect(await page.locator('main').textContent()).not.toContain(made);
    await page.getByRole('button', { name: 'Copy Python' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`'session-id': '${made}'`);
    await code.scrollIntoViewIfNeeded();
    expect(await axeAudit(page, 'code')).toEqual([]);

    await press(page, 'Reset');
    await press(page, 'Log out');
    await page.getByText('Logged out. A new QR code follows.').waitFor();
    await press(page, 'Delete');
    await press(page, 'Delete session');
    await page.locator('.state-strip .badge', { hasText: 'Deleted' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0);
    expect(await factsOf(id)).toEqual(expect.arrayContaining(['SessionRenamed', 'SecretRotated', 'SessionReset']));
  });

  it('[CO8.6] shows the deliveries of a session with a key that may stand for its secret, and says what a key lacks', async () => {
    await listen();
    const { page } = await openSession({ label: 'Berlin desk' });
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const card = page.getByRole('region', { name: 'Webhook', exact: true });
    await expect.poll(() => card.getByLabel('URL').inputValue()).toBe(webhook.url);
    await page.getByRole('region', { name: 'Deliveries' }).getByText('No deliveries.').waitFor();
    const reading = await issueKey(gate, ['sessions:read'], {});
    const { page: other } = await openSession({ label: 'Rome desk' }, reading.key);
    await other.getByRole('tab', { name: 'Deliveries' }).click();
    await other.getByText('or a key with the scope accounts').waitFor();
    expect(await other.getByRole('region', { name: 'Deliveries' }).count()).toBe(0);
    expect(browser.takeProblems().filter((text) => !text.includes('status of 403'))).toEqual([]);
  });

  it('[OS2.3] [CO9.5] says which scope a key lacks, and that an external ID is taken', async () => {
    await listen();
    const { key } = await issueKey(gate, ['sessions:read'], {});
    await gate.call('POST', '/session', { headers: asOwner, body: { externalId: 'taken' } });
    const { page } = await openSession({ label: 'Berlin desk' }, key);
    await press(page, 'Delete');
    await press(page, 'Delete session');
    await page.getByText(/^Scope sessions:control is required \d\d:\d\d:\d\d$/).waitFor();
    await press(page, 'Forget API key');
    await page.getByLabel('API key').fill(ownerKey);
    await page.keyboard.press('Enter');
    await press(page, 'Rename');
    await page.getByLabel('External ID').fill('taken');
    await page.keyboard.press('Enter');
    await page.getByText('ExternalId is used by session').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    expect(browser.takeProblems().filter((text) => !/status of 40[03]/.test(text))).toEqual([]);
  });
});
