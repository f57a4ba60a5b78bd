import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { ann, bob, type Caller, openScene, type Scene } from '../../support/e2e/scene.ts';
import { EnvelopeStream } from '../../support/kit/envelope-stream.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

const cara = '1003';
const helperbot = '1004';
const writers = [bob, cara, helperbot];
/** Messages in all; each round writes a part of them, and a crash ends it. */
const messages = 1_000;
const rounds = 5;
const hourMs = 3_600_000;

let scene: Scene;
let receiver: WebServer;
let received: Map<string, Payload[]>;
let isDead: boolean;
let caller: Caller;

beforeEach(async () => {
  received = new Map();
  isDead = true;
  receiver = await startWebServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? '';
      if (path === '/dead' && isDead) {
        // It never answers.
        return;
      }
      received.set(path, [...(received.get(path) ?? []), JSON.parse(body) as Payload]);
      response.writeHead(204).end();
    });
  });
  scene = await openScene({ environment: { ALLOW_PRIVATE_URLS: 'true' } });
  caller = await scene.connected(ann);
});
afterEach(async () => {
  await receiver.close();
  await scene.close();
});

/** Each once, by number: deliveries come at least once. */
function eachOnce(payloads: readonly Payload[]): Payload[] {
  const bySeq = new Map(payloads.map((payload) => [payload.seq, payload]));
  return [...bySeq.values()].toSorted((one, other) => one.seq - other.seq);
}
const inChat = (payloads: readonly Payload[], chat: string): Payload[] =>
  payloads.filter(({ data }) => 'chatId' in data && data.chatId === chat);

/** Its own in the order in which they came first, of one chat. */
function firsts(payloads: readonly Payload[], chat: string): number[] {
  return [...new Set(inChat(payloads, chat).map(({ seq }) => seq))];
}

function expectWhole(payloads: readonly Payload[], chats: readonly string[], count: number): void {
  const own = eachOnce(payloads);
  expect(own).toHaveLength(count);
  let previous = 0;
  for (const payload of own) {
    expect(payload.previous).toBe(previous);
    previous = payload.seq;
  }
  for (const chat of writers) {
    const seqs = firsts(payloads, chat);
    if (!chats.includes(chat)) expect(seqs).toEqual([]);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  }
}

it('[EV2.2] [EV2.3] [EV2.4] [EV3.2] of 1,000 events each receiver gets exactly its own, in order, over crashes', async () => {
  const add = async (path: string, chats: unknown): Promise<void> => {
    const { status } = await scene.request(caller, 'POST', '/session/webhooks', {
      url: `${receiver.url}${path}`,
      token: 'token',
      chats,
    });
    expect(status).toBe(200);
  };
  await add('/all', 'private');
  await add('/dead', 'private');
  await add('/bob', [bob]);
  await add('/two', [bob, cara]);
  await add('/bot', [helperbot]);

  const streamed: Payload[] = [];
  const acknowledged: Payload[] = [];
  let client: WebSocket | undefined;
  const listen = async (): Promise<EnvelopeStream> => {
    const last = streamed.at(-1)?.seq;
    const headers = { ...caller.headers, ...(last !== undefined && { 'last-event-id': String(last) }) };
    const stream = new EnvelopeStream(scene.gateway.url, headers, 'reader=sse');
    const socket = new WebSocket(
      `${scene.gateway.url.replace('http', 'ws')}/session/messages?reader=ws&chats=${cara}`,
      {
        headers: caller.headers,
      },
    );
    socket.on('error', () => {});
    socket.on('message', (data) => {
      const payload = JSON.parse((data as Buffer).toString()) as Payload;
      acknowledged.push(payload);
      socket.send(JSON.stringify({ ack: payload.seq }));
    });
    await once(socket, 'open');
    await scene.pass(500);
    client = socket;
    return stream;
  };

  let written = 0;
  let stream = await listen();
  for (let round = 1; round <= rounds; round += 1) {
    for (; written < (messages / rounds) * round; written += 1) {
      const from = writers[written % writers.length] ?? bob;
      await scene.sandbox.call('POST', `/accounts/${from}/messages`, { peer: ann, text: `text ${written}` });
      // The dead one delays no other: no time passes for them.
      if (written % 50 === 0) await scene.clock.advance(0);
    }
    const wanted = written;
    while (eachOnce(received.get('/all') ?? []).length < wanted) await scene.clock.advance(0);
    streamed.push(...stream.envelopes.splice(0));
    // In one of the rounds the readers are away for an hour; in each a crash comes.
    client?.terminate();
    await stream.leave();
    streamed.push(...stream.envelopes.splice(0));
    await scene.restart();
    await scene.read(caller, ({ isConnected }) => isConnected);
    if (round === 2) await scene.pass(hourMs);
    stream = await listen();
  }
  const count = (chat: string): number =>
    Array.from({ length: messages }, (_, index) => writers[index % 3]).filter((from) => from === chat).length;
  while (eachOnce([...streamed, ...stream.envelopes]).length < messages) await scene.clock.advance(0);
  while (eachOnce(acknowledged).length < count(cara)) await scene.clock.advance(0);
  isDead = false;
  await scene.pass(2 * hourMs);
  while (eachOnce(received.get('/dead') ?? []).length < messages) await scene.pass(60_000);

  expectWhole(received.get('/all') ?? [], writers, messages);
  expectWhole(received.get('/dead') ?? [], writers, messages);
  expectWhole(received.get('/bob') ?? [], [bob], count(bob));
  expectWhole(received.get('/two') ?? [], [bob, cara], count(bob) + count(cara));
  expectWhole(received.get('/bot') ?? [], [helperbot], count(helperbot));
  expectWhole([...streamed, ...stream.envelopes], writers, messages);
  expectWhole(acknowledged, [cara], count(cara));
  client?.terminate();
  await stream.leave();
}, 600_000);
