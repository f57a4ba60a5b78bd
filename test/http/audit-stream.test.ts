import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AuditEntry } from '../../src/audit/audit-entry.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../support/http-app.ts';
import { linkFact } from '../support/scripted-link.ts';

let gate: TestApp;
let url: string;
beforeEach(async () => {
  gate = await startTestApp();
  await gate.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(gate.app.server.address() as AddressInfo).port}`;
});
afterEach(() => gate.close());

/** A client as a browser's `EventSource` is one: remembers the last event it has seen whole. */
class Client {
  readonly seen: AuditEntry[] = [];
  #lastId: string | undefined;
  readonly #headers: SessionHeaders;
  #text = '';

  constructor(headers: SessionHeaders) {
    this.#headers = headers;
  }

  /** Reads until `isEnough`, and cuts the connection; or until the service ends it. */
  async read(isEnough: () => boolean): Promise<void> {
    const cut = new AbortController();
    const response = await fetch(`${url}/session/stream`, {
      headers: { ...this.#headers, ...(this.#lastId !== undefined && { 'last-event-id': this.#lastId }) },
      signal: cut.signal,
    });
    if (response.headers.get('content-type') !== 'text/event-stream; charset=utf-8') throw new Error('no stream');
    this.#text = '';
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return;
      this.#take(decoder.decode(value as Uint8Array, { stream: true }));
      if (!isEnough()) continue;
      cut.abort();
      await reader?.cancel().catch(() => undefined);
      return;
    }
  }

  /** What arrived in the last connection, comments included. */
  get text(): string {
    return this.#text;
  }

  #take(text: string): void {
    const before = this.#text.split('\n\n').length;
    this.#text += text;
    const blocks = this.#text.split('\n\n');
    for (const block of blocks.slice(before - 1, -1)) {
      const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line]));
      const data = fields.get('data');
      if (data === undefined) continue;
      this.#lastId = fields.get('id')?.slice('id: '.length);
      this.seen.push(JSON.parse(data.slice('data: '.length)) as AuditEntry);
    }
  }
}

async function cutAndRestore(headers: SessionHeaders): Promise<void> {
  await gate.links.of(headers.id).report(linkFact('ConnectionLost', 1));
  await gate.links.of(headers.id).report(linkFact('ConnectionRestored', 1));
}

it('[AD3] a client that is cut 100 times sees every event once', async () => {
  const headers = await gate.session();
  await gate.connect(headers);
  const client = new Client(headers);
  for (let round = 0; round < 100; round++) {
    // In turn: what was there before, what comes while it listens, and an event in the middle of both.
    const target = client.seen.length + 1 + (round % 3);
    const reading = client.read(() => client.seen.length >= target);
    await cutAndRestore(headers);
    await cutAndRestore(headers);
    await reading;
  }
  await client.read(() => client.seen.length >= 402);
  expect(client.seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 402 }, (_, index) => index + 1));
});

it('[AD3] ends with the session', async () => {
  const headers = await gate.session();
  const client = new Client(headers);
  const reading = client.read(() => false);
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.call('DELETE', '/session', { headers });
  await reading;
  expect(client.seen.at(-1)).toMatchObject({ type: 'SessionDeleted', state: 'deleted' });
});

it('[AD3] shows that it lives when nothing happens', async () => {
  const headers = await gate.session();
  const client = new Client(headers);
  const reading = client.read(() => client.text.includes('still here'));
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.clock.advance(15_000);
  await reading;
  expect(client.seen).toHaveLength(1);
});

it('[OP2] is ended when the service shuts down, and nothing is left listening', async () => {
  const headers = await gate.session();
  const client = new Client(headers);
  const reading = client.read(() => false);
  while (client.seen.length === 0) await new Promise(setImmediate);
  await gate.app.close();
  await reading;
  expect(client.seen).toHaveLength(1);
});

it('[AD3] refuses a last event that is none', async () => {
  const headers = await gate.session();
  const { status, body } = await gate.call('GET', '/session/stream', { headers: { ...headers, 'last-event-id': 'x' } });
  expect([status, body['message']]).toEqual([400, 'last-event-id must be a number']);
});
