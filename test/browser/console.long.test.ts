import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { ann, bob, bobsPassword, openScene, type Scene } from '../support/e2e/scene.ts';

/** The console in a real browser, against a real gateway and the sandbox. */

describe.skipIf(!hasChromium)('the console', () => {
  const browser = useConsoleBrowser();
  let scene: Scene;
  let page: Page;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());
  beforeEach(async () => {
    await scene.sandbox.call('POST', '/reset');
    page = await browser.open(scene.gateway.url, scene.sandbox.url);
  });

  const create = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Create session' }).click();
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor());
  };
  const phoneOf = (name: string) => page.locator('label', { hasText: new RegExp(`^${name}$`) });
  const scanAs = async (name: string): Promise<void> => {
    await phoneOf(name).click();
    await page.getByRole('button', { name: `Scan with ${name}’s phone` }).click();
  };
  const state = () => page.locator('.state-strip .badge');
  const show = (tab: string) => page.getByRole('tab', { name: tab }).click();
  const activeBox = () => page.locator('svg.chart .box.active');
  const seen = (locator: ReturnType<Page['locator']>, text: string) =>
    pumpTime(scene, locator.filter({ hasText: text }).waitFor());

  it('[CO3.1] creates a session, scans with one click, and sends a message', async () => {
    await page.getByRole('heading', { name: 'Getting started' }).waitFor();
    await create();
    await scanAs('Ann');
    await pumpTime(scene, page.getByRole('heading', { name: 'Ann Lee', level: 1 }).waitFor());
    expect(await state().textContent()).toBe('Connected');
    await page.getByLabel('Text').fill('Sent from the console');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, page.getByText(/^Sent\. Message ID: \d+\.$/).waitFor());
    await phoneOf('Bob').click();
    await page.locator('.chats').getByText('Sent from the console').waitFor();
    const [message] = await scene.sandbox.call<{ text: string }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${ann}&limit=1`,
    );
    expect(message?.text).toBe('Sent from the console');

    await page.getByLabel('Text').fill('**Bold** from the console');
    await page.getByLabel('Formatting').selectOption({ label: 'Markdown' });
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, page.locator('.chats').getByText('Bold from the console').first().waitFor());
  });

  it('[CO3.3] sends a poll to a group by its name, and shows the request and what came back', async () => {
    await create();
    await scanAs('Ann');
    await seen(state(), 'Connected');
    await page.getByLabel('Recipient').selectOption({ label: 'Group ID' });
    const groups = page.getByLabel('Groups of the account');
    await pumpTime(scene, groups.waitFor());
    await groups.selectOption({ index: 1 });
    await page.getByLabel('Message type').selectOption({ label: 'Poll' });
    await page.getByLabel('Question').fill('Tea?');
    await page.getByLabel('Options, one a line').fill('Yes\nNo');
    await page.getByText('More options').click();
    await page.getByLabel('Idempotency key').fill('poll-1');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, page.getByText(/^Sent\. Message ID: \d+\.$/).waitFor());
    const request = await page.getByRole('region', { name: 'Request' }).textContent();
    expect(request).toMatch(/^POST \/message\nidempotency-key: poll-1\n/);
    expect(JSON.parse(request?.slice(request.indexOf('{')) ?? '')).toMatchObject({
      group: expect.stringMatching(/^-\d+$/),
      type: 'poll',
      poll: { question: 'Tea?', options: ['Yes', 'No'] },
    });
    expect(await page.getByRole('region', { name: 'Response' }).textContent()).toMatch(/^200 after \d+ ms\n/);

    await page.getByLabel('Message type').selectOption({ label: 'Photo' });
    await page.getByLabel('Photo of this device').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 8, height: 8, channels: 3, background: '#246' } })
        .png()
        .toBuffer(),
    });
    await page.getByLabel('Idempotency key').fill('');
    await page.getByLabel('Recipient').selectOption({ label: 'Username' });
    await page.getByLabel('Username', { exact: true }).fill('nobody_at_all');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const response = page.getByRole('region', { name: 'Response' });
    await pumpTime(scene, response.filter({ hasText: 'chat not found' }).waitFor());
    expect(await response.textContent()).toMatch(/^400 after/);
    await page.getByLabel('Username', { exact: true }).fill('bob');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, response.filter({ hasText: 'messageId' }).waitFor());
    const [message] = await scene.sandbox.call<{ media?: { kind?: string } }[]>(
      'GET',
      `/accounts/${bob}/messages?peer=${ann}&limit=1`,
    );
    expect(JSON.stringify(message)).toContain('photo');
    expect(browser.takeProblems().filter((text) => !text.includes('status of 400'))).toEqual([]);
    expect(await axeAudit(page, 'send')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  it('[CO3.1] chooses among many phones of the sandbox', async () => {
    for (let number = 1; number <= 4; number++) {
      await scene.sandbox.call('POST', '/accounts', { firstName: `Eve ${number}`, dc: 2 });
    }
    await create();
    await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Eve 4' });
    await page.getByRole('button', { name: 'Scan with Eve’s phone' }).click();
    await pumpTime(scene, page.getByRole('heading', { name: 'Eve 4', level: 1 }).waitFor());
    expect(await state().textContent()).toBe('Connected');
  });

  it('[SE15.1] says that Telegram refuses logins, and why', async () => {
    const fault = { method: 'auth.exportLoginToken', error: 'API_ID_INVALID', times: 1_000 };
    await scene.sandbox.call('POST', '/faults', fault);
    await page.getByRole('button', { name: 'Create session' }).click();
    await pumpTime(scene, page.getByText('Telegram refuses logins with this API ID: API_ID_INVALID.').waitFor());
    expect(await state().textContent()).toBe('QR pending');
    await scene.sandbox.call('DELETE', '/faults');
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor(), 20);
  });

  it('[CO3.1] says that Telegram has frozen the account', async () => {
    await create();
    await scanAs('Ann');
    await seen(state(), 'Connected');
    await scene.sandbox.call('PATCH', `/accounts/${ann}`, { frozen: true });
    await page.getByLabel('Text').fill('Not sent');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await pumpTime(scene, page.getByText(/^frozen by Telegram, seen /).waitFor());
    expect(await state().textContent()).toBe('Connected');
    expect(browser.takeProblems().filter((text) => !text.includes('status of 500'))).toEqual([]);
  });

  it('[SE10.1] shows the session’s next QR code when it changes', async () => {
    await create();
    const picture = page.getByAltText(/^QR code/);
    const before = await picture.getAttribute('src');
    await scene.pass(31_000);
    await pumpTime(scene, page.locator(`.qr img:not([src="${before}"])`).waitFor());
    expect(await picture.getAttribute('src')).toMatch(/^data:image\/png;base64,/);
    await scanAs('Ann');
    await seen(state(), 'Connected');
  });

  it('[CO3.1] asks for the password, shows its hint, and reports a wrong one', async () => {
    await create();
    await scanAs('Bob');
    const password = page.getByLabel('Password', { exact: true });
    await pumpTime(scene, password.waitFor());
    await pumpTime(scene, page.locator('#hint', { hasText: 'the usual' }).waitFor());
    await password.fill('guessed');
    await page.getByRole('button', { name: 'Log in' }).click();
    await pumpTime(scene, page.getByText('Invalid password').waitFor());
    expect(await password.inputValue()).toBe('');
    await password.fill(bobsPassword);
    await page.keyboard.press('Enter');
    await seen(state(), 'Connected');
    // The browser also logs the 400 that the page shows as a text.
    expect(browser.takeProblems().filter((text) => !text.includes('status of 400'))).toEqual([]);
  });

  it('[CO4.1] highlights the state in the chart, and counts its deadline down', async () => {
    await create();
    await show('Chart');
    await seen(activeBox(), 'QR pending');
    await page
      .locator('.chart .armed text')
      .filter({ hasText: /^QrTimedOut in \d:\d\d$/ })
      .waitFor();
    const drawn = await page
      .locator('.chart .box')
      .evaluateAll((boxes) =>
        boxes.map((box) => (box as unknown as { dataset: Record<string, string> }).dataset['state']),
      );
    expect(drawn).toEqual([
      'qrPending',
      'codeRequired',
      'passwordRequired',
      'connected',
      'disconnected',
      'any',
      'deleted',
    ]);
    await show('Overview');
    await scanAs('Ann');
    await show('Chart');
    await seen(activeBox(), 'Connected');
    expect(await page.locator('.chart .latest text').allTextContents()).toEqual(['LoggedIn']);
    await expect.poll(() => page.locator('.chart .armed').count()).toBe(0);
  });

  it('[CO4.1] the slider shows the session after any event, while new events arrive', async () => {
    await create();
    await scanAs('Ann');
    await seen(state(), 'Connected');
    await show('Chart');
    const slider = page.getByLabel('Event', { exact: true });
    await slider.focus();
    await page.keyboard.press('Home');
    await pumpTime(scene, page.getByText('As of').waitFor());
    await seen(activeBox(), 'QR pending');
    await show('Timeline');
    const details = page.getByRole('region', { name: /^Session created SessionCreated/ });
    await details.getByText('Session after this event').waitFor();
    await expect.poll(() => details.getByText('generatedId').count()).toBe(0);
    // Ann removes the device. The list shows it, and the selected event stays.
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    const events = page.getByRole('list', { name: 'Events, newest first' });
    await pumpTime(scene, events.getByText('Device removed on the phone').waitFor(), 100);
    expect(await slider.inputValue()).toBe('1');
    await events.getByRole('button', { name: /LoggedIn/ }).click();
    await page
      .getByRole('region', { name: /^Logged in LoggedIn/ })
      .getByText('Ann Lee', { exact: true })
      .waitFor();
    await show('Chart');
    await seen(activeBox(), 'Connected');
    await page.getByRole('button', { name: 'Back to live' }).click();
    await seen(activeBox(), 'QR pending');
    await show('Overview');
    await page.getByRole('img', { name: /^Total: 1\. \S+: 1$/ }).waitFor();
  });

  it('[SE2.1] logs out after a confirmation, and shows a new QR code', async () => {
    await create();
    await scanAs('Ann');
    await seen(state(), 'Connected');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.keyboard.press('Escape');
    expect(await state().textContent()).toBe('Connected');
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor());
    expect(await state().textContent()).toBe('QR pending');
    await show('Chart');
    expect(await page.locator('.chart .latest text').allTextContents()).toEqual(['SessionReset']);
  });

  it('[CO3.1] deletes after a confirmation, and shows the deleted session to the operator', async () => {
    await create();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await state().textContent()).toBe('QR pending');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete session' }).click();
    await seen(state(), 'Deleted');
    await show('Chart');
    await seen(activeBox(), 'Deleted');
    await expect.poll(() => page.getByRole('button', { name: 'Reset' }).count()).toBe(0);
  });

  it('[CO3.2] shows personal data of a session that another client created only with its sessionId', async () => {
    const caller = await scene.connected(ann);
    await page.locator(`a[href="#/sessions/${caller.id}"]`).click();
    const secret = page.getByLabel('sessionId');
    await secret.waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    expect(await page.locator('main').textContent()).not.toContain('Ann Lee');
    await secret.fill('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('Session not found').waitFor();
    await secret.fill(caller.sessionId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ann Lee', level: 1 }).waitFor();
    expect(browser.takeProblems().filter((text) => !text.includes('status of 404'))).toEqual([]);
  });
});
