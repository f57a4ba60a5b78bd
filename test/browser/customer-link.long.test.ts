import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { bob, bobsPassword, openScene, type Scene } from '../support/e2e/scene.ts';
import { readQr } from '../support/gateway/gateway.ts';

/** The page of a customer's link (OS5), as the customer's phone or computer shows it. */

describe.skipIf(!hasChromium)('the page of a customer’s link', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());
  const browser = useConsoleBrowser();

  /** The path of a new link: a page of the gateway. */
  async function linkPath(): Promise<string> {
    const { body } = await scene.gateway.http.request('POST', '/links', { body: {} });
    return String(body['url']).slice(scene.gateway.url.length);
  }
  async function scanAs(path: string, userId: string): Promise<void> {
    const headers = { 'link-token': path.split('#')[1] ?? '' };
    const { body } = await scene.gateway.http.request<{ qrcode: string }>('GET', '/link/session', { headers });
    await scene.sandbox.scan(await readQr(body.qrcode), userId);
  }

  it('[OS5.9] leads a customer by keyboard from the button to the connected account', async () => {
    const path = await linkPath();
    const page = await browser.open(scene.gateway.url, scene.sandbox.url, path);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Show QR code' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'QR code: scan it with the Telegram app' }).waitFor();
    expect(await page.getByText(/^Time left: [23]:\d\d$/).count()).toBe(1);
    await page.getByText('Or log in by a code').click();
    expect(await axeAudit(page, 'customer-qr')).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await scanAs(path, bob);
    await page.getByLabel('Two-step password').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Two-step password').fill(bobsPassword);
    await page.keyboard.press('Enter');
    await page.getByText('Your account is connected.').waitFor();
    const again = await browser.open(scene.gateway.url, scene.sandbox.url, path);
    await again.getByText('This link has been used. Your account is connected.').waitFor();
    // The browser reports the refused password.
    expect(browser.takeProblems().every((problem) => problem.includes('400'))).toBe(true);
  });

  it.each([
    ['de', 'Telegram-Konto verbinden', 'QR-Code anzeigen'],
    ['es', 'Conecta tu cuenta de Telegram', 'Mostrar el código QR'],
    ['pt-BR', 'Conecte a sua conta do Telegram', 'Mostrar o código QR'],
    ['ru', 'Подключите аккаунт Telegram', 'Показать QR-код'],
    ['ja', 'Connect your Telegram account', 'Show QR code'],
  ])('[OS5.9] speaks %s, or English', async (language, title, button) => {
    const page = await browser.open(scene.gateway.url, scene.sandbox.url, '/link/');
    await page.addInitScript(`Object.defineProperty(navigator, 'languages', { value: ['${language}'] })`);
    await page.goto(`${scene.gateway.url}${await linkPath()}`);
    await page.reload();
    await page.getByRole('heading', { name: title }).waitFor();
    await page.getByRole('button', { name: button }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe(language === 'ja' ? 'en' : language.slice(0, 2));
    // Without a token, the page has found no link.
    browser.takeProblems();
  });

  it('[OS5.9] says that a link is not valid, and creates nothing by being opened', async () => {
    const page = await browser.open(scene.gateway.url, scene.sandbox.url, '/link/#tgl_nothing');
    await page.getByText('This link is not valid, or no longer. Ask for a new one.').waitFor();
    // All that the page had to say has been heard by then.
    await page.close();
    expect(browser.takeProblems().every((problem) => problem.includes('404'))).toBe(true);
    const before = await scene.gateway.http.request('GET', '/sessions?state=any');
    const opened = await browser.open(scene.gateway.url, scene.sandbox.url, await linkPath());
    await opened.getByRole('button', { name: 'Show QR code' }).waitFor();
    expect((await scene.gateway.http.request('GET', '/sessions?state=any')).body).toEqual(before.body);
  });
});
