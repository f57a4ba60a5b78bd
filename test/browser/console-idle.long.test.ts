import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { linkFact } from '../support/actors/scripted-link.ts';
import { hasChromium } from '../support/browser/chromium.ts';
import { useConsoleBrowser } from '../support/browser/console-browser.ts';
import { startTestApp, type TestApp } from '../support/gateway/http-app.ts';
import { ownerKey } from '../support/gateway/issue-key.ts';

/** What an open tab costs while nothing happens, with many sessions, most of them deleted. */

const sessions = 11_000;
const live = sessions / 11;
const atOnce = 100;
/** A tab may cost 5 KB a second. */
const idleSeconds = 120;
const maxBytes = idleSeconds * 5 * 1_024;

describe.skipIf(!hasChromium)('an idle tab', () => {
  let gate: TestApp;
  const ids: string[] = [];
  beforeAll(async () => {
    gate = await startTestApp({ apiKey: ownerKey });
    for (let count = 0; count < sessions; count += atOnce) {
      const made = Array.from({ length: atOnce }, async (_, index) => {
        const { id } = await gate.sessions.create({ label: `Desk ${count + index}` });
        if (count + index < live) await gate.links.of(id).report(linkFact('LoggedIn', 1));
        else await gate.sessions.delete(id);
        return id;
      });
      ids.push(...(await Promise.all(made)));
    }
    await gate.app.listen({ host: '127.0.0.1', port: 0 });
  }, 600_000);
  afterAll(() => gate?.close());
  const browser = useConsoleBrowser();

  it('[CO9.3] gets under 5 KB a second, however many sessions there are, on each page', async () => {
    const url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
    const page = await browser.open(url);
    await page.getByLabel('API key').fill(ownerKey);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.clock.install({ time: gate.clock.now() });
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Network.enable');
    let bytes = 0;
    devTools.on('Network.dataReceived', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    const costs: Record<string, number> = {};
    const disconnected = ids[0] ?? '';
    await gate.links.of(disconnected).report(linkFact('ConnectionLost', 1));
    for (const [name, heading] of [
      ['#/', 'Overview'],
      ['#/sessions', 'Sessions'],
      ['#/events', 'Events'],
      [`#/sessions/${ids[1]}/deliveries`, 'Desk 1'],
      [`#/sessions/${disconnected}`, 'Desk 0'],
    ] as const) {
      await page.goto(`${url}/console/${name}`);
      await page.getByRole('heading', { name: heading, level: 1, exact: true }).waitFor();
      await page.clock.runFor(5_000);
      bytes = 0;
      for (let second = 0; second < idleSeconds; second += 5) {
        await page.clock.runFor(5_000);
        await gate.clock.advance(5_000);
      }
      costs[name.replace(/\/[-\w]{36}/, '/ID')] = bytes;
    }
    process.stdout.write(`bytes in ${idleSeconds} s: ${JSON.stringify(costs)}\n`);
    expect(Object.entries(costs).filter(([, cost]) => cost >= maxBytes)).toEqual([]);
  });
});
