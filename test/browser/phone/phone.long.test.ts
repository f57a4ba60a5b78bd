import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { hasChromium } from '../../support/browser/chromium.ts';
import { usePhonePage } from '../../support/browser/phone-page.ts';
import { ann, bob, bobsPassword, type Scene } from '../../support/e2e/scene.ts';

/** The sandbox's phone page in a real browser, against a real gateway. */

describe.skipIf(!hasChromium)('the phone page', () => {
  const phone = usePhonePage();
  let scene: Scene;
  let page: Page;
  beforeEach(() => {
    ({ scene, page } = phone);
  });

  it('[SE10.2] scans a pasted QR code: the session connects, and its messages are shown', async () => {
    const caller = await scene.create();
    const { qrcode } = await scene.read(caller, (session) => session.qrcode !== '');
    await page.getByLabel('Account').selectOption(ann);
    expect(await page.getByAltText('The QR code as pasted').isVisible()).toBe(false);
    await page.getByLabel('QR code: paste').fill(qrcode);
    expect(await page.getByAltText('The QR code as pasted').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Scan and accept' }).click();
    await page.getByText('Accepted. The device can log in as Ann Lee.').waitFor();
    await scene.read(caller, (session) => session.isConnected);
    await page.getByRole('button', { name: /^Remove Session gateway/ }).waitFor();

    await phone.open('Bob Stone');
    const message = { type: 'text', user: bob, text: 'Sent by the gateway' };
    expect(await scene.request(caller, 'POST', '/message', message)).toMatchObject({ status: 200 });
    await page.getByRole('list', { name: 'Bob Stone' }).getByText('Sent by the gateway').waitFor();
  });

  it('[SE10.2] accepts a link instead of a picture, and Bob needs his password', async () => {
    const caller = await scene.create();
    await page.getByLabel('Account').selectOption(bob);
    await page.getByLabel('QR code: paste').fill(await scene.qrLink(caller));
    await page.getByRole('button', { name: 'Scan and accept' }).click();
    await page.getByText('Accepted. The device can log in as Bob Stone.').waitFor();
    await scene.read(caller, (session) => session.isPasswordRequired);
    await scene.request(caller, 'POST', '/session/password', { password: bobsPassword });
    expect(await scene.read(caller)).toMatchObject({ isConnected: true, generatedId: bob });
  });

  it('[SE9.1] removes a device, and the session shows a new QR code', async () => {
    const caller = await scene.connected(ann);
    await page.getByLabel('Account').selectOption(ann);
    await page.getByRole('button', { name: /^Remove Session gateway/ }).click();
    await page.getByText('No devices are linked.').waitFor();
    const lost = await scene.whilePassing(scene.read(caller, (session) => session.qrcode !== ''));
    expect(lost).toMatchObject({ isConnected: false, generatedId: ann });
  });

  it('sends a message to another account', async () => {
    await page.getByLabel('Account').selectOption(ann);
    await phone.open('Bob Stone');
    await page.getByLabel('Message', { exact: true }).fill('Typed with thumbs');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Bob Stone' }).getByText('Typed with thumbs').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('');
    await page.getByLabel('Account').selectOption(bob);
    const chats = await scene.sandbox.call<{ title: string; unread: number }[]>('GET', `/accounts/${bob}/chats`);
    const unread = chats.find(({ title }) => title === 'Ann Lee')?.unread ?? 0;
    expect(unread).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Ann Lee' }).getByLabel(`${unread} unread`, { exact: true }).waitFor();
    await phone.open('Ann Lee');
    await page.getByRole('list', { name: 'Ann Lee' }).getByText('Typed with thumbs').waitFor();
  });

  it('shows why a pasted code was not accepted', async () => {
    await page.getByLabel('Account').selectOption(ann);
    await page.getByRole('button', { name: 'Scan and accept' }).click();
    await page.getByText('Paste a QR code or a link first.').waitFor();
    await page.getByLabel('QR code: paste').fill('tg://login?token=AAAA');
    await page.getByRole('button', { name: 'Scan and accept' }).click();
    const refusal = page.getByRole('status').filter({ hasText: /token|link/i });
    await refusal.waitFor();
    expect(await refusal.getAttribute('class')).toBe('bad');
    // The browser also logs the 400 that the page shows as a text.
    expect(phone.takeProblems().filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  it('has a name on every control, one main heading, and sends requests to its own host only', async () => {
    await phone.open('Makers');
    const seen = await page.locator('body').ariaSnapshot();
    const controls = seen.split('\n').filter((line) => /^\s*- (?:button|textbox|combobox|link|checkbox)\b/.test(line));
    expect(controls.length).toBeGreaterThan(8);
    expect(controls.filter((line) => !/^\s*- \w+ "[^"]/.test(line))).toEqual([]);
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    await expect.poll(() => page.locator('img:not([alt])').count()).toBe(0);
  });
});
