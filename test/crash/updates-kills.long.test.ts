import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { killsOr, useKilling, withKillSeed, writeOnPhones } from '../support/crash/killing.ts';
import { addPerson, loggedIn, own, pollMs, until, written } from '../support/crash/writing-people.ts';
import { type Delivery, faultsOf, readDeliveries } from '../support/e2e/deliveries.ts';
import { type HttpClient, httpClient } from '../support/gateway/gateway.ts';

const kills = killsOr(12);
/** So many fall on a gateway that is still starting, or catching up. */
const early = 0.3;
const longestStartMs = 400;
/** How far the others get at most: sends that are answered, and a moment more. */
const mostSends = 4;
const longestMomentMs = 60;
const people = 3;
/** What each phone writes from one kill to the next: a start may take long where a machine has much else to do. */
const textsALife = 12;
const longestPauseMs = 80;

const killing = useKilling();

it(`[WH4.1] every message is recorded once and in order, over ${kills} kills at random moments`, () =>
  withKillSeed(async (chance) => {
    const { sandbox } = killing;
    const others = await Promise.all(Array.from({ length: people }, (_, index) => addPerson(sandbox, index)));
    let gateway = killing.prepare();
    let http: HttpClient | undefined = httpClient(await gateway.run());
    const headers = await loggedIn(sandbox, http);
    const webhook = { url: 'http://127.0.0.1:9/hook', token: 'token' };
    expect((await http.request('PUT', '/session/webhook', { headers, body: webhook })).status).toBe(200);

    const phones = writeOnPhones(sandbox, others, { textsALife, longestPauseMs }, chance);
    let sent = 0;
    const sender = (async () => {
      for (let count = 1; !phones.isOver; count += 1) {
        const body = { user: others[count % people], type: 'text', text: `${own} ${count}` };
        const answer = await http?.request('POST', '/message', { headers, body }).catch(() => undefined);
        if (answer?.status === 200) sent += 1;
        await pause(10 + chance() * 40);
      }
    })();
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const next = killing.prepare();
        if (chance() < early) {
          await pause(chance() * longestStartMs);
        } else {
          const enough = sent + 1 + Math.floor(chance() * mostSends);
          await until(() => sent >= enough);
          await pause(chance() * longestMomentMs);
        }
        http = undefined;
        phones.lives += 1;
        await killing.kill(gateway);
        gateway = next;
        http = httpClient(await gateway.run());
      }
      phones.isOver = true;
      await Promise.all([phones.ended, sender]);
      const deliveries = await settled(headers.id, others);
      expect(faultsOf(deliveries)).toEqual([]);
      for (const other of others)
        expect(received(deliveries, other).join('\n')).toBe((await written(sandbox, other)).join('\n'));
      // A test of nothing would pass as well.
      expect(deliveries.length).toBeGreaterThan(100);
      expect(sent).toBeGreaterThan(kills / 4);
    } finally {
      phones.isOver = true;
      await Promise.allSettled([phones.ended, sender]);
    }
  }));

const received = (deliveries: readonly Delivery[], other: string): string[] =>
  deliveries
    .filter(({ type, content }) => type === 'MessageReceived' && content.user.id === other)
    .map(({ content: { message } }) => `${message.id} ${message.text}`);

/** What is recorded when as much is as has been written, or nothing comes any more. */
async function settled(sessionId: string, others: readonly string[]): Promise<Delivery[]> {
  const expected = (await Promise.all(others.map((other) => written(killing.sandbox, other)))).flat().length;
  for (let tries = 0; ; tries += 1) {
    const deliveries = await readDeliveries(killing, sessionId);
    const count = deliveries.filter(({ type }) => type === 'MessageReceived').length;
    if (count >= expected || tries > 500) return deliveries;
    await pause(pollMs);
  }
}
