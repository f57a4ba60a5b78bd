import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hasChromium, launchChromium, watchPage } from '../support/browser/chromium.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';
import { inShort, type Message } from '../support/inspector/inspector-messages.ts';

/** The page that opens Stately's inspector, in a real browser. `INSPECTOR_SCREENSHOTS` names a folder for pictures. */

/** Stands in for Stately's page, which the tests cannot reach: connects as `@statelyai/inspect` does, and keeps the messages. */
const inspectorWindow = `<!doctype html><title>Inspector</title><script>
  window.received = [];
  addEventListener('message', ({ data }) => { if (typeof data._version === 'string') received.push(data); });
  opener.postMessage({ type: '@statelyai.connected' }, '*');
</script>`;
const receivedBy = (page: Page): Promise<Message[]> =>
  page.evaluate(() => (globalThis as unknown as { received: Message[] }).received);

describe.skipIf(!hasChromium)("the inspector's page", () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let gate: TestApp;
  let problems: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    problems = [];
    gate = await startTestApp({ apiKey: 'right ü' });
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
    context = await browser.newContext({ viewport: { width: 800, height: 760 } });
    await context.route('https://stately.ai/inspect', (route) =>
      route.fulfill({ contentType: 'text/html', body: inspectorWindow }),
    );
    page = await context.newPage();
    const gatewayUrl = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
    watchPage(page, [gatewayUrl], problems);
    await page.goto(`${gatewayUrl}/inspector`);
  });
  afterEach(async () => {
    await context.close();
    await gate.close();
  });

  const screenshot = async (name: string): Promise<void> => {
    const folder = process.env['INSPECTOR_SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const open = async (): Promise<Page> => {
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: "Open Stately's inspector" }).click(),
    ]);
    return opened;
  };
  const create = async (): Promise<string> => {
    const { body } = await gate.call('POST', '/session', { headers: { 'x-api-key': 'right ü' } });
    return String(body['id']);
  };

  it('[IN5.1] passes the gateway’s messages on to Stately’s window, and shows the progress', async () => {
    const id = await create();
    await page.getByLabel('API key').fill('right ü');
    const inspector = await open();
    await page.getByRole('status').filter({ hasText: 'Showing 1 session, 1 message.' }).waitFor();
    const later = await create();
    await page.getByRole('status').filter({ hasText: 'Showing 2 sessions, 4 messages.' }).waitFor();
    await screenshot('inspector');
    const messages = await receivedBy(inspector);
    expect(messages.map((message) => [message.sessionId, inShort(message)])).toEqual([
      [id, 'actor qrPending'],
      [later, 'actor qrPending'],
      [later, 'SessionCreated 1'],
      [later, '→ qrPending'],
    ]);
    await page.getByLabel('Session', { exact: true }).fill(id);
    await page.getByLabel('from its first event').check();
    await page.getByRole('button', { name: "Open Stately's inspector" }).click();
    await page.getByRole('status').filter({ hasText: 'Showing 1 session, 3 messages.' }).waitFor();
    expect(problems).toEqual([]);
  });

  it('[IN5.1] shows why the gateway refused the connection', async () => {
    await page.getByLabel('API key').fill('wrong');
    await open();
    const refusal = page.getByRole('status').filter({ hasText: 'The gateway refused the connection' });
    expect(await refusal.innerText()).toBe('The gateway refused the connection: invalid api key.');
    await page.emulateMedia({ colorScheme: 'dark' });
    await screenshot('inspector-dark');
  });
});
