import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Payload } from '../../src/webhook/payload/payloads.ts';
import { killsOr, useKilling, withKillSeed, writeOnPhones } from '../support/crash/killing.ts';
import { readSocket, readStream } from '../support/crash/returning-readers.ts';
import { addPerson, loggedIn, pollMs, until, written } from '../support/crash/writing-people.ts';
import { httpClient } from '../support/gateway/gateway.ts';

/** `KILLS=200` for a night. */
const kills = killsOr(10);
/** Share of kills that fall on a gateway that is still starting. */
const early = 0.3;
const longestStartMs = 300;
/** How far the others get at most: deliveries that arrive, and a moment more. */
const mostDeliveries = 25;
const longestMomentMs = 30;
const longestLifeMs = 1_500;
const people = 4;
const textsALife = 4;
const longestPauseMs = 40;
/** Of each phone in all: what the sandbox shows of a chat at once, and no more. */
const maxTexts = 800;
/** Of a kill, with all that follows, on a machine of which others take most. */
const killMs = 60_000;

const killing = useKilling(() => ({ ALLOW_PRIVATE_URLS: 'true' }));
const hooks = new Map<string, Payload[]>();
let isDead = true;
const receiver = createServer((request, response: ServerResponse) => {
  text(request)
    .then((body) => {
      const name = (request.url ?? '').slice(1).split('?')[0] ?? '';
      // Half of its requests are never answered.
      if (name === 'dead' && isDead) return body.length % 2 === 0 ? response.writeHead(503).end() : undefined;
      hooks.set(name, [...(hooks.get(name) ?? []), JSON.parse(body) as Payload]);
      return response.end();
    })
    // The gateway died in the middle of it.
    .catch(() => {});
});
beforeAll(() => new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
});

const came = (name: string): readonly Payload[] => hooks.get(name) ?? [];

it(
  `[EV2.2] [EV2.3] [EV2.4] [EV3.2] each of eight receivers gets its own, in order and whole, over ${kills} kills`,
  () =>
    withKillSeed(async (chance) => {
      const { sandbox } = killing;
      const others = await Promise.all(Array.from({ length: people }, (_, index) => addPerson(sandbox, index)));
      const [ada = '', ben = ''] = others;
      let gateway = killing.prepare();
      let url: string | undefined = await gateway.run();
      const headers = await loggedIn(sandbox, httpClient(url));
      const { port } = receiver.address() as AddressInfo;
      const at = (name: string): string => `http://127.0.0.1:${port}/${name}`;
      const call = (method: string, path: string, body?: object) =>
        httpClient(url ?? '').request<{ id: string; pending: number; docs: { url: string; id: string }[] }>(
          method,
          path,
          { headers, body },
        );
      const add = async (name: string, filter: object): Promise<void> => {
        const body = { url: at(name), token: 'token', ...filter };
        expect((await call('POST', '/session/webhooks', body)).status).toBe(200);
      };
      await add('all', { chats: 'private' });
      await add('dead', { chats: 'private' });
      await add('messages', { events: ['message'], chats: 'all' });
      await add('ada', { chats: [ada] });
      await add('both', { chats: [ada, ben] });
      const here = (): string | undefined => url;
      const stream = readStream(here, headers, 'reader=stream');
      const socket = readSocket(here, headers, `reader=socket&chats=${ben}`);
      const away = readStream(here, headers, 'reader=away');
      await Promise.all([stream.joined, socket.joined, away.joined]);
      await away.leave();

      const texts = Math.min(textsALife * kills, maxTexts);
      const phones = writeOnPhones(sandbox, others, { textsALife, texts, longestPauseMs }, chance);
      try {
        for (let kill = 0; kill < kills; kill += 1) {
          const next = killing.prepare();
          if (chance() < early) {
            await pause(chance() * longestStartMs);
          } else {
            const enough = came('all').length + 1 + Math.floor(chance() * mostDeliveries);
            const latest = performance.now() + chance() * longestLifeMs;
            await until(() => came('all').length >= enough || performance.now() >= latest);
            await pause(chance() * longestMomentMs);
          }
          phones.lives += 1;
          await killing.kill(gateway);
          gateway = next;
          const starting = gateway.run();
          const started = starting.then((given) => void (url = given));
          if (kill < kills - 1) started.catch(() => {});
          else await started;
        }
        await phones.ended;
        const chats = new Map(others.map((other) => [other, written(sandbox, other)]));
        const expected = new Map<string, string[]>();
        for (const [other, lines] of chats) expected.set(other, await lines);
        expect([...expected.values()].flat()).toHaveLength(people * texts);
        /** Waits until it has all, and checks that it has nothing else, in order, with no gap. */
        const whole = async (payloads: () => readonly Payload[], own: readonly string[] = others): Promise<void> => {
          const count = (): number => new Set(messagesOf(payloads()).map(({ id }) => id)).size;
          await until(() => count() >= own.length * texts);
          expect(brokenIn(payloads())).toEqual([]);
          for (const other of others) {
            expect(firsts(payloads(), other).join('\n')).toBe(
              (own.includes(other) ? expected.get(other) : [])?.join('\n'),
            );
          }
        };
        await whole(() => came('all'));
        await whole(() => came('messages'));
        await whole(() => came('ada'), [ada]);
        await whole(() => came('both'), [ada, ben]);
        await whole(() => stream.received);
        await whole(() => socket.received, [ben]);
        away.comeBack();
        await whole(() => away.received);
        // All that has been made although this one has taken nothing.
        expect(came('dead')).toEqual([]);
        isDead = false;
        const { docs } = (await call('GET', '/session/webhooks')).body;
        const dead = docs.find((one) => one.url === at('dead'));
        // Another URL is tried at once.
        await call('PUT', `/session/webhooks/${dead?.id}`, {
          url: `${at('dead')}?again`,
          token: 'token',
          chats: 'private',
        });
        await whole(() => came('dead'));
        for (const { id } of docs) {
          for (let pending = 1; pending > 0; await pause(pollMs)) {
            ({ pending } = (await call('GET', `/session/webhooks/${id}`)).body);
          }
        }
        // An event has one ID and one number for all of them.
        const all = [...hooks.values(), stream.received, socket.received, away.received].flat();
        const pairs = new Set(all.map(({ id, seq }) => `${id} ${seq}`));
        expect([new Set(all.map(({ id }) => id)).size, new Set(all.map(({ seq }) => seq)).size]).toEqual([
          pairs.size,
          pairs.size,
        ]);
      } finally {
        phones.isOver = true;
        await Promise.allSettled([phones.ended, stream.leave(), socket.leave(), away.leave()]);
      }
    }),
  kills * killMs,
);

const messagesOf = (payloads: readonly Payload[]): Payload[] => payloads.filter(({ type }) => type === 'message');

/** Messages of a chat in the order in which they came first. */
function firsts(payloads: readonly Payload[], other: string): string[] {
  const seen = new Set<string>();
  return messagesOf(payloads).flatMap(({ id, data }) => {
    if (!('chatId' in data && 'text' in data) || data.chatId !== other || seen.has(id)) return [];
    seen.add(id);
    return [`${data.id} ${data.text}`];
  });
}

/** Events whose `previous` is not the one before them. */
function brokenIn(payloads: readonly Payload[]): string[] {
  const bySeq = new Map(payloads.map(({ seq, previous }) => [seq, previous]));
  const broken: string[] = [];
  let before = 0;
  for (const [seq, previous] of [...bySeq].toSorted(([one], [other]) => one - other)) {
    if (previous !== before) broken.push(`${seq} follows ${before} and says ${previous}`);
    before = seq;
  }
  return broken;
}
