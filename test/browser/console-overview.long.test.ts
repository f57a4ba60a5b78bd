import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeAudit } from '../support/browser/axe-audit.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { pumpTime } from '../support/browser/pump-time.ts';
import { ann, openScene, type Scene } from '../support/e2e/scene.ts';

/** The overview, and the monitor of all sessions, in a real browser. */

describe.skipIf(!hasChromium)('the console’s overview and monitor', () => {
  const browser = useConsoleBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  const loseLogin = async (label: string): Promise<string> => {
    const caller = await scene.create({ label });
    await scene.scan(caller, ann);
    await scene.read(caller, ({ isConnected }) => isConnected);
    await scene.request(caller, 'POST', '/message', { username: 'nobody_at_all', type: 'text', text: 'Hi' });
    await scene.sandbox.call('DELETE', `/accounts/${ann}/devices`);
    await scene.pass(2_000);
    await scene.read(caller, ({ isConnected }) => !isConnected);
    return caller.id;
  };
  const open = (path: string): Promise<Page> => browser.open(scene.gateway.url, scene.sandbox.url, `/console/${path}`);

  it('[CO11.1] [CO11.3] says whether all is well, counts in the window of the address, and leads to the lists', async () => {
    const page = await open('');
    const happened = page.getByRole('region', { name: 'What happened' });
    await happened.getByText('In the last hour').waitFor();
    const id = await loseLogin('Berlin desk');
    await scene.pass(10_000);
    const tile = (name: string) => page.locator('.tile', { has: page.getByText(name, { exact: true }) });
    await pumpTime(scene, tile('Logins lost').filter({ hasText: '1' }).waitFor());
    await pumpTime(scene, tile('Sends failed').filter({ hasText: '1' }).waitFor());
    await page.getByText(/^To look at: .*1 login lost · 1 send failed/).waitFor();
    const lost = page.getByRole('region', { name: 'Logins lost' });
    await lost.getByText('Device removed on the phone').first().waitFor();
    expect(await lost.getByRole('link', { name: 'Berlin desk' }).getAttribute('href')).toBe(
      `#/sessions/${id}/timeline`,
    );
    await page.getByRole('region', { name: 'Gateway', exact: true }).getByText('SQLite, embedded').waitFor();
    // It was connected for less than a part of the window.
    const words = 'Connected sessions in the last hour: 0 to 0, now 0. 1 login lost.';
    await page.getByRole('img', { name: words }).waitFor();
    const marks = page.getByRole('list', { name: 'Logins lost' });
    expect(await marks.getByRole('listitem').count()).toBe(1);
    expect(await axeAudit(page, 'overview')).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeAudit(page, 'overview-mobile')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.getByRole('navigation', { name: 'Window' }).getByRole('link', { name: '7 d' }).click();
    await page.getByRole('heading', { name: 'In the last 7 days' }).waitFor();
    expect(page.url()).toMatch(/#\/\?window=7d$/);
    for (const link of await page.locator('.tile').all())
      expect(await link.getAttribute('href')).toMatch(/^#\/sessions/);
    await tile('QR pending').click();
    await page.getByRole('heading', { name: 'Sessions', level: 1 }).waitFor();
    expect(page.url()).toMatch(/#\/sessions\?state=qrPending$/);
  });

  it('[CO9.5] says since when its numbers are not the latest', async () => {
    const page = await open('');
    await page.getByRole('heading', { name: 'Sessions now' }).waitFor();
    await page.route('**/sessions/stats*', (route) => route.abort());
    await scene.create({ label: 'Oslo desk' });
    await pumpTime(
      scene,
      page.getByText(/^These are not the latest numbers: .* does not respond\. \d\d:\d\d:\d\d$/).waitFor(),
    );
    expect(browser.takeProblems().filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
  });

  it('[CO11.2] shows the events of all sessions as they happen, filters, pauses, and saves them', async () => {
    const page = await open('#/events');
    await page.getByText('Nothing has happened yet.').waitFor();
    await loseLogin('Bern desk');
    const list = page.getByRole('list', { name: 'Events, newest first' });
    const lost = list.getByRole('listitem').filter({ hasText: 'Device removed on the phone LoginLost' });
    await pumpTime(scene, lost.getByRole('link', { name: 'Bern desk' }).waitFor());
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeAudit(page, 'events-mobile')).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await axeAudit(page, 'events')).toEqual([]);

    await page.getByRole('combobox').first().selectOption({ label: 'Logged in' });
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
    expect(page.url()).toMatch(/#\/events\?type=LoggedIn$/);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download NDJSON' }).click();
    const saved = readFileSync(await (await saving).path(), 'utf8');
    expect(
      saved
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toEqual([expect.objectContaining({ type: 'LoggedIn', label: 'Bern desk', state: 'connected', seq: 3 })]);
    await page.getByRole('combobox').first().selectOption({ label: 'All' });

    await page.getByRole('button', { name: 'Pause' }).click();
    const before = await list.getByRole('listitem').count();
    await scene.create({ label: 'Rome desk' });
    await pumpTime(scene, page.getByRole('button', { name: /^Go on \(\d+ new\)$/ }).waitFor());
    expect(await list.getByRole('listitem').count()).toBe(before);
    await page.getByRole('button', { name: /^Go on/ }).click();
    await list.getByRole('link', { name: 'Rome desk' }).first().waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Nothing has happened yet.').waitFor();
  });
});
