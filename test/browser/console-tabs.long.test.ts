import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { ann, openScene, type Scene } from '../support/e2e/scene.ts';

/** The tabs of a session's page, in a real browser. */

/** How often the sandbox renews a QR code. */
const qrLifeMs = 30_000;

describe.skipIf(!hasChromium)('the tabs of a session', () => {
  const browser = useConsoleBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const create = async (): Promise<Page> => {
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    await page.getByRole('button', { name: 'Create session' }).click();
    await pumpTime(scene, page.getByAltText(/^QR code/).waitFor());
    return page;
  };
  const focused = (page: Page): Promise<string | null> => page.locator('[role=tab]:focus').textContent();

  it('[CO8.1] are chosen by the arrow keys, Home and End, and stand in the address', async () => {
    const page = await create();
    const url = page.url();
    await page.getByRole('tab', { name: 'Overview' }).focus();
    const steps: string[] = [];
    for (const key of ['ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Home', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key);
      await expect.poll(() => page.locator('[role=tab][aria-selected=true]').textContent()).toBe(await focused(page));
      steps.push(`${await focused(page)} ${page.url().slice(url.length)}`);
    }
    expect(steps).toEqual([
      'Timeline /timeline',
      'Raw /raw',
      'Overview ',
      'Raw /raw',
      'Overview ',
      'Timeline /timeline',
      'Deliveries /deliveries',
    ]);
    const panel = page.getByRole('tabpanel', { name: 'Deliveries' });
    await panel.getByRole('heading', { name: 'Webhook' }).waitFor();
    // The others are no stops of the Tab key.
    expect(await page.locator('[role=tab][tabindex="0"]').allTextContents()).toEqual(['Deliveries']);
    await page.reload();
    await panel.waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.goBack();
    await panel.waitFor();
  });

  it('[CO8.2] keep the state, its reason and its deadline in sight', async () => {
    const page = await create();
    for (const tab of ['Overview', 'Timeline', 'Deliveries', 'Chart', 'Raw']) {
      await page.getByRole('tab', { name: tab }).click();
      const strip = page.getByRole('region', { name: 'State', exact: true });
      await strip.getByText(/^will be deleted in [0-3]:\d\d$/).waitFor();
      expect(await strip.textContent()).toMatch(/^QR pendingfor \d+ s ?reason createdwill be deleted.*Live$/);
    }
  });

  it('[CO8.3] shows how long the QR code lasts, and how long a code can be scanned', async () => {
    const page = await create();
    const card = page.getByRole('region', { name: 'Scan to log in' });
    const left = (name: string) => card.locator('p', { hasText: name }).locator('strong').textContent();
    expect(await left('Next code in')).toMatch(/^0:[0-3]\d$/);
    expect(await left('Time left to scan')).toMatch(/^[23]:\d\d$/);
    const image = await card.getByRole('img').boundingBox();
    expect(image?.width).toBeGreaterThanOrEqual(300);
    await card.getByRole('button', { name: 'Full screen' }).click();
    const large = async (): Promise<number> => (await card.getByRole('img').boundingBox())?.width ?? 0;
    await expect.poll(large).toBeGreaterThan(700);
    await page.keyboard.press('Escape');
    await page.evaluate('document.exitFullscreen().catch(() => undefined)');
    await expect.poll(large).toBe(image?.width);
  });

  it('[CO7.2] folds what repeats in the timeline, and unfolds it', async () => {
    const page = await create();
    await scene.pass(2 * qrLifeMs + 3_000);
    await page.getByRole('tab', { name: 'Timeline' }).click();
    const list = page.getByRole('list', { name: 'Events, newest first' });
    await pumpTime(scene, list.getByText(/^QR renewed ×3/).waitFor());
    expect(await list.locator('.event').count()).toBe(2);
    await list.getByRole('button', { name: 'Unfold 3 events' }).click();
    expect(await list.locator('.event-name').allTextContents()).toEqual([
      'QR renewed QrIssued',
      'QR renewed QrIssued',
      'QR renewed QrIssued',
      'Session created SessionCreated',
    ]);
    await list.locator('.event', { hasText: 'QR renewed' }).nth(1).click();
    await page.getByText('As of').waitFor();
    await list.getByRole('button', { name: 'Fold 3 events' }).click();
    // What is selected is never hidden.
    expect(await list.locator('.event[aria-pressed=true] .event-seq').textContent()).toBe('3');
  });

  it('[CO8.5] shows the attempts to reconnect and their cause, and tries now', async () => {
    const caller = await scene.connected(ann);
    const page = await browser.open(scene.gateway.url, scene.sandbox.url);
    const network = (action: string) => scene.sandbox.call('POST', '/network', { action });
    await network('refuse');
    await network('cut');
    await scene.pass(40_000);
    await page.locator(`a[href="#/sessions/${caller.id}"]`).first().click();
    const card = page.getByRole('region', { name: 'Reconnecting' });
    const fact = (name: string) => card.locator('.facts > div', { hasText: name }).locator('dd');
    await fact('Cause').filter({ hasText: 'Telegram cannot be reached unreachable' }).waitFor();
    expect(Number(await fact('Attempt').textContent())).toBeGreaterThanOrEqual(3);
    await fact('Next try').filter({ hasText: 'in ' }).waitFor();
    expect(await axeAudit(page, 'disconnected')).toEqual([]);
    await network('accept');
    await card.getByRole('button', { name: 'Try now' }).click();
    // No more time passes than the least pause between two attempts.
    await expect.poll(() => fact('Next try').textContent()).toMatch(/^(now|in 0:0[01])$/);
    await scene.pass(1_100);
    await pumpTime(scene, page.locator('.state-strip .badge', { hasText: 'Connected' }).waitFor());
    await card.waitFor({ state: 'detached' });
  });

  it('[CO8.4] is grey while the gateway does not respond, and says since when', async () => {
    const page = await create();
    await page.getByText('Live', { exact: true }).waitFor();
    const filter = (): Promise<string> =>
      page.locator('.session-header').evaluate((header) => header.computedStyleMap().get('filter')?.toString() ?? '');
    expect(await filter()).toBe('none');
    // It starts at another port.
    await scene.restart();
    await page.getByText(/^Not live since \d\d:\d\d:\d\d$/).waitFor();
    expect(await filter()).toBe('grayscale(1)');
    expect(await axeAudit(page, 'not-live')).toEqual([]);
    await page.close();
    expect(browser.takeProblems().filter((text) => !text.includes('net::ERR_'))).toEqual([]);
  });
});
