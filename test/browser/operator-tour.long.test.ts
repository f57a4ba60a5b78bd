import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { masterKey, recordSessions } from '../../bench/support/write-model.ts';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { ann, openScene, type Scene } from '../support/e2e/scene.ts';
import { readQr } from '../support/gateway/gateway.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../support/kit/temporary-folder.ts';

/** The day of an operator with a thousand sessions, whose customer has lost a login: a real gateway and the sandbox. */

/** Most of them have ended, as after some months; those that live wait for their owners. */
const endedCount = 980;
const liveCount = 20;

describe.skipIf(!hasChromium)('an operator', () => {
  const browser = useConsoleBrowser();
  let scene: Scene;
  let folder: TemporaryFolder;
  beforeAll(async () => {
    folder = await createTemporaryFolder();
    await recordSessions(folder.path, {
      count: endedCount,
      liveCount: 0,
      namesOf: (number) => ({ label: `Former desk ${number}`, externalId: `former-${number}` }),
    });
    const environment = { MASTER_KEY: masterKey.toString('base64') };
    scene = await openScene({ dataDir: folder.path, environment });
  });
  afterAll(async () => {
    await scene?.close();
    await folder?.remove();
  });

  /** Goes on with Tab, or back with Shift+Tab, until the control has the focus. */
  const tabTo = async (page: Page, control: Locator, key = 'Tab'): Promise<void> => {
    const hasFocus = (): Promise<boolean> => control.evaluate((element) => element.matches(':focus-visible'));
    for (let step = 0; step < 80 && !(await hasFocus()); step++) await page.keyboard.press(key);
    expect(await hasFocus()).toBe(true);
  };
  const pressByKey = async (page: Page, name: string, key?: string): Promise<void> => {
    await tabTo(page, page.getByRole('button', { name, exact: true }), key);
    await page.keyboard.press('Enter');
  };
  const isWithinScreen = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth <= 390');

  it('[CO9.4] by keyboard alone, 390 pixels wide: from a lost session to a connected one', async () => {
    const caller = await scene.create({ label: 'Berlin desk', externalId: 'berlin' });
    await scene.scan(caller, ann);
    await scene.read(caller, (session) => session.isConnected);
    // The others come after it: the gateway begins only so many logins a second.
    for (let desk = 1; desk <= liveCount; desk++) {
      await scene.create({ label: `Desk ${desk}`, externalId: `shop-${desk}` });
    }
    const stats = await scene.gateway.http.request<{ states: object }>('GET', '/sessions/stats');
    expect(stats.body.states).toMatchObject({ deleted: endedCount });
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    await pumpTime(
      scene,
      scene.read(caller, (session) => !session.isConnected),
      20,
    );

    const page = await browser.open(scene.gateway.url, scene.sandbox.url, '/console/#/sessions?state=any');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(100);
    expect(await axeAudit(page, 'any-mobile')).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('berlin');
    const link = page.getByRole('link', { name: 'Berlin desk' });
    await page.getByText('1 session.').waitFor();
    await page.locator('tbody').getByText('SESSION_REVOKED').first().waitFor();
    await tabTo(page, link);
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { name: 'Berlin desk · berlin' }).waitFor();
    await page.locator('.state-strip').getByText('SESSION_REVOKED').waitFor();
    await tabTo(page, page.getByRole('tab', { name: 'Overview' }));
    await page.keyboard.press('ArrowRight');
    await page.getByText('Device removed on the phone').first().waitFor();
    expect(await axeAudit(page, 'lost-mobile')).toEqual([]);
    expect(await isWithinScreen(page)).toBe(true);

    await pressByKey(page, 'Reset', 'Shift+Tab');
    await pressByKey(page, 'Log out');
    await pumpTime(scene, page.getByText('Logged out. A new QR code follows.').waitFor());

    await pressByKey(page, 'Customer link', 'Shift+Tab');
    await tabTo(page, page.getByRole('button', { name: 'Make the link' }));
    await page.keyboard.press('Enter');
    const url = await page.getByRole('dialog').getByLabel('Link').inputValue();
    expect(await isWithinScreen(page)).toBe(true);
    await pressByKey(page, 'Done');

    const customer = await browser.open(scene.gateway.url, scene.sandbox.url, url.slice(scene.gateway.url.length));
    await tabTo(customer, customer.getByRole('button', { name: 'Show QR code' }));
    await customer.keyboard.press('Enter');
    await pumpTime(scene, customer.getByRole('img', { name: /^QR code/ }).waitFor(), 1);
    // A camera would see the present one: the page's may be two seconds old.
    const headers = { 'link-token': new URL(url).hash.slice(1) };
    const { body } = await scene.gateway.http.request<{ qrcode: string }>('GET', '/link/session', { headers });
    await scene.sandbox.scan(await readQr(body.qrcode), ann);
    await pumpTime(scene, customer.getByText('Your account is connected.').waitFor());

    await page.bringToFront();
    await pumpTime(scene, page.locator('.state-strip .badge', { hasText: 'Connected' }).waitFor());
    expect((await scene.read(caller)).isConnected).toBe(true);
  });
});
