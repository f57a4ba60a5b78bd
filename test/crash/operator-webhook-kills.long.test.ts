import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payload } from '../../src/webhook/payload/payloads.ts';
import { killsOr, useKilling, withKillSeed } from '../support/crash/killing.ts';
import { until } from '../support/crash/writing-people.ts';
import { httpClient } from '../support/gateway/gateway.ts';

/** `KILLS=200` for a night. */
const kills = killsOr(10);
/** Of each, its reset and its deletion are told. */
const sessions = 500;
const longestLifeMs = 1_500;
/** Of a kill, with all that follows, on a machine of which others take most. */
const killMs = 60_000;

const killing = useKilling(() => ({ ALLOW_PRIVATE_URLS: 'true' }));
const received: Payload[] = [];
const receiver = createServer((request, response) => {
  text(request)
    .then((body) => {
      received.push(JSON.parse(body) as Payload);
      response.end();
    })
    // The gateway died in the middle of it.
    .catch(() => {});
});
beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

it(
  `[EV2.6] an operators’ webhook is told of ${2 * sessions} events, each under one ID and in the order of its session, over ${kills} kills`,
  () =>
    withKillSeed(async (chance) => {
      let gateway = killing.prepare();
      let url = await gateway.run();
      const { port } = receiver.address() as AddressInfo;
      const hook = {
        url: `http://127.0.0.1:${port}/ops`,
        events: ['session.connected', 'session.deleted', 'session.reset'],
      };
      expect((await httpClient(url).request('POST', '/webhooks', { body: hook })).status).toBe(200);
      const made: string[] = [];
      const over = new AbortController();
      /** A request that a kill cuts off is none: what came of it is seen in the list. */
      const make = async (): Promise<void> => {
        while (made.length < sessions && !over.signal.aborted) {
          const client = httpClient(url);
          try {
            const { body } = await client.request<{ id: string; sessionId: string }>('POST', '/session');
            const headers = { id: body.id, 'session-id': body.sessionId };
            const { status } = await client.request('POST', '/session/reset', { headers });
            const { status: deleted } = await client.request('DELETE', '/session', { headers });
            if (status === 200 && deleted === 200) made.push(body.id);
          } catch {
            await pause(20);
          }
        }
      };
      const making = Promise.all([make(), make(), make(), make()]);
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          const next = killing.prepare();
          await pause(chance() * longestLifeMs);
          await killing.kill(gateway);
          gateway = next;
          url = await gateway.run();
        }
        await making;
        const firsts = (id: string): Payload[] => [
          ...new Map(received.filter(({ session }) => session.id === id).map((one) => [one.id, one])).values(),
        ];
        await until(() => made.every((id) => firsts(id).length >= 2));
        for (const id of made) {
          const own = firsts(id);
          expect(own.map(({ type }) => type)).toEqual(['session.reset', 'session.deleted']);
          expect(own.map(({ previous }) => previous)).toEqual([0, own[0]?.seq]);
        }
        // One event, one ID.
        expect(new Set(received.map(({ session, seq }) => `${session.id} ${seq}`)).size).toBe(
          new Set(received.map(({ id }) => id)).size,
        );
      } finally {
        over.abort();
      }
    }),
  killMs * (kills + 5),
);
