import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payload } from '../../src/webhook/payload/payloads.ts';
import { killsOr, useKilling, withKillSeed, writeOnPhones } from '../support/crash/killing.ts';
import { addPerson, loggedIn, pollMs, until, written } from '../support/crash/writing-people.ts';
import { httpClient } from '../support/gateway/gateway.ts';

const kills = killsOr(100);
/** So many fall on a gateway that is still starting. */
const early = 0.3;
const longestStartMs = 300;
/** How far the others get at most: deliveries that arrive, and a moment more. */
const mostDeliveries = 25;
const longestMomentMs = 30;
const longestLifeMs = 1_500;
const people = 5;
/** What each phone writes, from one kill to the next at the most, and in all: 2,000 messages in 100 kills. */
const textsALife = 4;
const texts = textsALife * kills;
const longestPauseMs = 40;
/** Of the deliveries: some fail, some are never answered. */
const failing = 0.01;
const silent = 0.01;

const killing = useKilling(() => ({ ALLOW_PRIVATE_URLS: 'true' }));
const received: Payload[] = [];
let answer: (response: ServerResponse) => void = (response) => response.end();
const receiver = createServer((request, response) => {
  text(request)
    .then((body) => {
      received.push(JSON.parse(body) as Payload);
      answer(response);
    })
    // The gateway died in the middle of it.
    .catch(() => {});
});

beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

it(`[WH4.1] every message is delivered, under one ID and in order, over ${kills} kills at random moments`, () =>
  withKillSeed(async (chance) => {
    answer = (response) => {
      const drawn = chance();
      if (drawn > failing + silent) response.end();
      else if (drawn > silent) response.writeHead(500).end();
    };
    const { sandbox } = killing;
    const others = await Promise.all(Array.from({ length: people }, (_, index) => addPerson(sandbox, index)));
    let gateway = killing.prepare();
    let url = await gateway.run();
    const headers = await loggedIn(sandbox, httpClient(url));
    const { port } = receiver.address() as AddressInfo;
    const webhook = { url: `http://127.0.0.1:${port}/`, token: 'token' };
    expect((await httpClient(url).request('PUT', '/session/webhook', { headers, body: webhook })).status).toBe(200);

    const phones = writeOnPhones(sandbox, others, { textsALife, texts, longestPauseMs }, chance);
    try {
      for (let kill = 0; kill < kills; kill += 1) {
        const next = killing.prepare();
        if (chance() < early) {
          await pause(chance() * longestStartMs);
        } else {
          const enough = received.length + 1 + Math.floor(chance() * mostDeliveries);
          const latest = performance.now() + chance() * longestLifeMs;
          await until(() => received.length >= enough || performance.now() >= latest);
          await pause(chance() * longestMomentMs);
        }
        phones.lives += 1;
        await killing.kill(gateway);
        gateway = next;
        const starting = gateway.run();
        if (kill < kills - 1) starting.catch(() => {});
        else url = await starting;
      }
      await phones.ended;
      answer = (response) => response.end();
      const expected = await Promise.all(others.map((other) => written(sandbox, other)));
      expect(expected.flat()).toHaveLength(people * texts);
      await allDelivered(people * texts);
      await allTaken(url, headers);
      expect(faultsOf(received)).toEqual([]);
      for (const [index, other] of others.entries()) {
        expect(firsts(other).join('\n')).toBe((expected[index] ?? []).join('\n'));
      }
    } finally {
      phones.isOver = true;
      await Promise.allSettled([phones.ended]);
    }
  }));

/** Messages of a chat in the order in which they came first. */
function firsts(other: string): string[] {
  const seen = new Set<string>();
  return received.flatMap(({ id, type, data }) => {
    if (type !== 'message' || !('text' in data) || data.chatId !== other || seen.has(id)) return [];
    seen.add(id);
    return [`${data.id} ${data.text}`];
  });
}

/** One number, one ID, one content, whenever it comes; and numbers without a gap. */
function faultsOf(payloads: readonly Payload[]): string[] {
  const bySeq = new Map<number, string>();
  const faults: string[] = [];
  for (const payload of payloads) {
    const said = JSON.stringify({ ...payload, session: undefined });
    const known = bySeq.get(payload.seq);
    if (known !== undefined && withoutHost(known) !== withoutHost(said)) faults.push(`${known} came as ${said}`);
    bySeq.set(payload.seq, said);
  }
  for (let seq = 1; seq <= bySeq.size; seq += 1) if (!bySeq.has(seq)) faults.push(`${seq} is missing`);
  if (new Set(payloads.map(({ id }) => id)).size !== bySeq.size) faults.push('an ID has two numbers');
  return faults;
}

const withoutHost = (json: string): string => json.replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');

async function allDelivered(count: number): Promise<void> {
  const ids = (): number => new Set(received.filter(({ type }) => type === 'message').map(({ id }) => id)).size;
  for (let tries = 0; ids() < count && tries < 3_000; tries += 1) await pause(pollMs);
}

/** The gateway knows it as well. */
async function allTaken(url: string, headers: Record<string, string>): Promise<void> {
  for (let pending: unknown; pending !== 0; await pause(pollMs)) {
    ({ pending } = (await httpClient(url).request('GET', '/session/webhook', { headers })).body);
  }
}
