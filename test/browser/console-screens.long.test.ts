import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { ann, bob, openScene, type Scene } from '../support/e2e/scene.ts';

/** Audits every screen with axe. */

describe.skipIf(!hasChromium)('the console’s screens', () => {
  const browser = useConsoleBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const phoneOf = (page: Page, name: string) => page.locator('label', { hasText: new RegExp(`^${name}$`) });
  const create = async (page: Page): Promise<void> => {
    await page.getByLabel('Name of the new session').fill('Support desk');
    await page.getByRole('button', { name: 'Create session' }).click();
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor());
    await page.locator('.chats li').first().waitFor();
  };

  it('[CO5.1] no sessions, QR code, password, connected, a past event, mobile, dialog, deleted', async () => {
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    expect(await axeAudit(page, 'empty')).toEqual([]);
    await create(page);
    expect(await axeAudit(page, 'qr')).toEqual([]);
    await phoneOf(page, 'Bob').click();
    await page.getByRole('button', { name: 'Scan with Bob’s phone' }).click();
    await pumpTime(scene, page.locator('#hint').waitFor());
    expect(await axeAudit(page, 'password')).toEqual([]);

    await create(page);
    await phoneOf(page, 'Ann').click();
    await page.getByRole('button', { name: 'Scan with Ann’s phone' }).click();
    await pumpTime(scene, page.getByRole('heading', { name: 'Ann Lee', level: 1 }).waitFor());
    await page.getByLabel('Text').fill('Hello from the console');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, page.getByText(/^Sent\. Message ID: \d+\.$/).waitFor());
    await phoneOf(page, 'Bob').click();
    await page.locator('.chats').getByText('Hello from the console').waitFor();
    await expect.poll(() => page.getByText('scanned the code').count()).toBe(0);
    expect(await axeAudit(page, 'connected')).toEqual([]);

    await page.getByRole('tab', { name: 'Raw' }).click();
    expect(await axeAudit(page, 'raw')).toEqual([]);
    await page.getByRole('tab', { name: 'Chart' }).click();
    expect(await axeAudit(page, 'chart')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await axeAudit(page, 'chart-mobile')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('tab', { name: 'Timeline' }).click();
    await page.getByLabel('Event', { exact: true }).focus();
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Session after this event').waitFor();
    expect(await axeAudit(page, 'past')).toEqual([]);
    await page.getByRole('button', { name: 'Back to live' }).click();
    await page.getByRole('tab', { name: 'Overview' }).click();

    await page.setViewportSize({ width: 390, height: 844 });
    expect(await axeAudit(page, 'mobile')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('button', { name: 'Delete' }).click();
    expect(await axeAudit(page, 'dialog')).toEqual([]);
    await page.getByRole('button', { name: 'Delete session' }).click();
    await pumpTime(scene, page.locator('.state-strip .badge', { hasText: 'Deleted' }).waitFor());
    expect(await axeAudit(page, 'deleted')).toEqual([]);
  });

  it('[CO5.1] a session that another client created', async () => {
    const caller = await scene.connected(ann);
    await scene.request(caller, 'POST', '/message', { user: bob, type: 'text', text: 'Hi' });
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.locator(`a[href="#/sessions/${caller.id}"]`).click();
    await page.getByLabel('sessionId').waitFor();
    expect(await axeAudit(page, 'owner-access')).toEqual([]);
  });

  it('[CO5.1] works by keyboard alone, with the controls in their visual order', async () => {
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.getByLabel('Name of the new session').focus();
    await page.keyboard.type('Typed');
    await page.keyboard.press('Enter');
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor());
    const tabTo = async (control: Locator): Promise<void> => {
      const hasFocus = (): Promise<boolean> => control.evaluate((element) => element.matches(':focus-visible'));
      for (let step = 0; step < 40 && !(await hasFocus()); step++) await page.keyboard.press('Tab');
      expect(await hasFocus()).toBe(true);
    };
    await tabTo(page.getByRole('button', { name: /^Scan with/ }));
    await page.keyboard.press('Enter');
    await pumpTime(scene, page.getByText(/scanned the code/).waitFor());
    await pumpTime(scene, page.getByRole('heading', { name: 'Ann Lee', level: 1 }).waitFor());
    await tabTo(page.getByLabel('Text'));
    await page.keyboard.type('Without a mouse');
    await tabTo(page.getByRole('button', { name: 'Send', exact: true }));
    await page.keyboard.press('Enter');
    await pumpTime(scene, page.getByText(/^Sent\. Message ID: \d+\.$/).waitFor());
  });
});
