import { describe, expect, it, onTestFinished } from 'vitest';
import { axeAudit } from '../../support/browser/axe-audit.ts';
import { hasChromium } from '../../support/browser/chromium.ts';
import { useConsoleBrowser } from '../../support/browser/console-browser.ts';
import { pumpTime } from '../../support/browser/pump-time.ts';
import { joinTwo, openGatewaysScene } from '../../support/cluster/gateways-scene.ts';
import { openScene } from '../../support/e2e/scene.ts';

/** The page has neither a form nor a button. */
const readRules = ['color-contrast', 'link-name'];

/** The gateways that share a store, in a real browser. */

describe.skipIf(!hasChromium)('the console’s nodes', () => {
  const browser = useConsoleBrowser();

  it('[CL6.3] are those that are there, with what each has, and those that are gone', async () => {
    const scene = await openGatewaysScene();
    const [first, second] = await joinTwo(scene);
    for (const gateway of [first, second, second]) await scene.during(gateway.http.request('POST', '/session'));
    const page = await browser.open(first.url, scene.sandbox.url, '/console');
    await page.getByRole('link', { name: 'Nodes', exact: true }).click();
    await pumpTime(scene, page.getByText('All is well: 2 nodes, and each partition has an owner.').waitFor());
    const row = (url: string) => page.getByRole('row').filter({ hasText: url });
    const [ofFirst = 0, ofSecond = 0] = await scene.owned(first, second);
    const cells = (url: string): Promise<string[]> => row(url).getByRole('cell').allInnerTexts();
    expect((await cells(first.url)).slice(0, 3)).toEqual(['Live\nanswers this page', '1', String(ofFirst)]);
    expect((await cells(second.url)).slice(1, 3)).toEqual(['2', String(ofSecond)]);
    expect(await row(second.url).innerText()).toMatch(/Live\nheard of \d+ s ago/);
    expect(await axeAudit(page, 'nodes', readRules)).toEqual([]);

    await second.crash();
    await scene.until(async () => {
      const { body } = await first.http.request('GET', '/nodes');
      return (body['docs'] as { live: boolean }[]).some(({ live }) => !live);
    });
    await pumpTime(scene, row(second.url).getByText('Gone').waitFor());
    await page.getByText(/^To look at: 1 node gone/).waitFor();
    expect((await cells(second.url))[1]).toBe('–');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeAudit(page, 'nodes-mobile', readRules)).toEqual([]);

    await scene.until(async () => (await scene.owned(first))[0] === 64);
    await pumpTime(scene, row(first.url).getByText('64', { exact: true }).waitFor());
  });

  it('[CL6.3] say so if the gateway is alone, and lead there from the overview on a phone', async () => {
    const scene = await openScene();
    onTestFinished(() => scene.close());
    await scene.create({ label: 'Berlin desk' });
    const page = await browser.open(scene.gateway.url, scene.sandbox.url, '/console');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'What shares the store' }).click();
    const alone = page.getByRole('region', { name: 'One gateway' });
    await alone.getByText(/^This gateway is alone\. .* has all sessions: 1\.$/).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await axeAudit(page, 'nodes-alone-mobile', readRules)).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(await axeAudit(page, 'nodes-alone', readRules)).toEqual([]);
    await page.route('**/nodes', (route) => route.abort());
    await page.getByText(/^The nodes may have changed: .*\. \d\d:\d\d:\d\d$/).waitFor();
    expect(browser.takeProblems().filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
  });
});
