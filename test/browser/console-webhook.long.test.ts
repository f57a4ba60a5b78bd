import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { reachable } from '../support/e2e/file-server.ts';
import { ann, bob, openScene, type Scene } from '../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../support/kit/web-server.ts';

/** The webhook's part of the console, against a gateway that delivers to a receiver of the test's own. */

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** For so long a delivery is tried. */
const patienceMs = 24 * 3_600_000;
/** Short enough for the pings of the session's connection. */
const stepMs = 60_000;

describe.skipIf(!hasChromium)('the console’s webhook', () => {
  let scene: Scene;
  let receiver: WebServer;
  let status = 500;
  const received: string[] = [];
  beforeAll(async () => {
    scene = await openScene(reachable);
    receiver = await startWebServer((request, response) => {
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
    await receiver?.close();
  });
  const browser = useConsoleBrowser();

  it('[WH1] is set, tested, fails, gives up after a day, and sends again what was given up', async () => {
    const caller = await scene.connected(ann);
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.locator(`a[href="#/sessions/${caller.id}"]`).click();
    await page.getByLabel('sessionId').fill(caller.sessionId);
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'Webhook', exact: true });
    await card.getByLabel('URL').fill(`${receiver.url}/hook`);
    await card.getByLabel('Token').fill('a secret');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Saved.').waitFor();

    await card.getByRole('button', { name: 'Send a test' }).click();
    await card.getByText('Not delivered: it answered with status 500.').waitFor();
    await scene.sandbox.call('POST', `/accounts/${bob}/messages`, { peer: ann, text: 'Are you there?' });
    const fact = (name: string, value: string | RegExp) =>
      card.locator('.facts > div', { hasText: name }).filter({ hasText: value }).waitFor();
    await fact('Waiting', '1');
    await fact('Last error', '500');

    await scene.pass(patienceMs + 3_600_000, stepMs);
    await fact('Given up', '1');
    const parked = card.getByRole('list', { name: 'Given up' });
    await parked.getByText('message').waitFor();
    await card.scrollIntoViewIfNeeded();
    expect(await axeAudit(page, 'webhook')).toEqual([]);

    status = 200;
    received.length = 0;
    await parked.getByRole('button', { name: 'Send again from here' }).click();
    await scene.whilePassing(fact('Given up', '0'));
    expect(received).toEqual(['message']);
    await card.getByRole('button', { name: 'Turn off' }).click();
    await card.getByText('Turned off.').waitFor();
    await card.getByRole('button', { name: 'Send a test' }).waitFor({ state: 'detached' });
  });
});
