import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { reachable } from '../support/e2e/file-server.ts';
import { ann, bob, openScene, type Scene } from '../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../support/kit/web-server.ts';

/** The webhook card of the console, with a real endpoint. */

/** How long a delivery is retried (WH4). */
const retryLimitMs = 24 * 3_600_000;

describe.skipIf(!hasChromium)('the console’s webhook', () => {
  let scene: Scene;
  let endpoint: WebServer;
  let status = 500;
  const received: string[] = [];
  beforeAll(async () => {
    scene = await openScene(reachable);
    endpoint = await startWebServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString();
      });
      request.on('end', () => {
        received.push((JSON.parse(body) as { type: string }).type);
        response.writeHead(status).end();
      });
    });
  });
  afterAll(async () => {
    await scene?.close();
    await endpoint?.close();
  });
  const browser = useConsoleBrowser();

  it('[WH1.2] [WH1.3] [CO8.6] sets and tests the webhook, shows deliveries, and sends again what was given up', async () => {
    const caller = await scene.connected(ann);
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.locator(`a[href="#/sessions/${caller.id}"]`).click();
    await page.getByLabel('sessionId').fill(caller.sessionId);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Ann Lee', level: 1 }).waitFor();
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    const card = page.getByRole('region', { name: 'Webhook', exact: true });
    await card.getByLabel('URL').fill(`${endpoint.url}/hook`);
    await card.getByLabel('Token').fill('a secret');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.').waitFor();

    await card.getByRole('button', { name: 'Send test event' }).click();
    await card.getByText(/^Not delivered: .*status 500\. \d\d:\d\d:\d\d$/).waitFor();
    await expect.poll(() => card.getByText('Saved.').count()).toBe(0);
    await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'Are you there?' });
    const fact = (name: string, value: string | RegExp) =>
      card.locator('.facts > div', { hasText: name }).filter({ hasText: value }).waitFor();
    // What was tried is recorded a second later.
    await pumpTime(scene, fact('Pending', '1'), 100);
    await pumpTime(scene, fact('Last error', /500, \d\d:\d\d/), 100);

    await scene.pass(retryLimitMs + 3_600_000);
    await fact('Failed (parked)', '1');
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    const row = deliveries.getByRole('listitem').first();
    await row.getByText('Failed (parked)').waitFor();
    expect(await row.textContent()).toMatch(/message.*event \d+.*\d+ attempts.*status 500/);
    await row.getByRole('button', { name: /^Payload/ }).click();
    await row
      .getByRole('region', { name: /^Payload of event/ })
      .getByText('Are you there?')
      .waitFor();
    await deliveries.scrollIntoViewIfNeeded();
    expect(await axeAudit(page, 'webhook')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeAudit(page, 'webhook-mobile')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    // One that was given up is sent again, and fails again: it is parked a day later.
    received.length = 0;
    await row.getByRole('button', { name: /^Send again/ }).click();
    await deliveries.getByText(/^Event \d+ is sent again\. Pending: 1\.$/).waitFor();
    await pumpTime(scene, expect.poll(() => received, { timeout: 30_000 }).toEqual(['message']));
    await scene.pass(retryLimitMs + 3_600_000);
    await fact('Failed (parked)', '1');

    status = 200;
    received.length = 0;
    await deliveries.getByRole('button', { name: 'Send all 1 failed again' }).click();
    await pumpTime(scene, fact('Failed (parked)', '0'), 1000);
    await deliveries.getByLabel('Status').selectOption({ label: 'Delivered' });
    await row.getByText('Delivered', { exact: true }).waitFor();
    expect(received).toEqual(['message']);
    await expect.poll(() => card.getByText('Last error').count()).toBe(0);
    await card.getByRole('button', { name: 'Turn off' }).click();
    await card.getByText('Turned off.').waitFor();
    await card.getByRole('button', { name: 'Send test event' }).waitFor({ state: 'detached' });
  });
});
