import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { allPartitions } from '../../../../actors/ports/ownership.ts';
import { partitionOf } from '../../../../src/cluster/partitions.ts';
import type { TelegramAccount } from '../../../../src/telegram/port/account.ts';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { linkFact } from '../../../support/actors/scripted-link.ts';
import { openTwoNodesWithSession, type TwoNodes } from '../../../support/cluster/two-nodes.ts';
import type { SessionHeaders } from '../../../support/gateway/http-app.ts';
import { passTime, settleNetwork, whileTimePasses } from '../../../support/kit/passing-time.ts';

/** Requests that a node has when their session leaves it. It is `one`'s, and then `two`'s. */

let nodes: TwoNodes;
let headers: SessionHeaders;
let account: TelegramAccount;
let sent: string[];

beforeEach(async () => {
  ({ nodes, headers, account, sent } = await openTwoNodesWithSession());
});

const leave = async (): Promise<void> => {
  nodes.owners.set(headers.id, undefined);
  await settleNetwork();
  await nodes.one.gate.sessions.release(allPartitions);
};
const arrive = async (): Promise<void> => {
  nodes.owners.set(headers.id, 'two');
  await nodes.two.gate.sessions.take({ has: (id) => id === headers.id, numbers: [0] });
  nodes.two.gate.accounts.set(headers.id, account);
  await nodes.two.gate.links.of(headers.id).report(linkFact('ConnectionRestored', 1));
  await settleNetwork();
};
const isUnderWay = (): boolean => nodes.one.hops.requests.finish(partitionOf(headers.id)) !== undefined;

const messageOf = (said: string): string => JSON.stringify({ user: '1002', type: 'text', text: said });
const send = (through: string, more: Record<string, string> = {}): Promise<Response> =>
  fetch(`${through}/message`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body: messageOf('hello'),
  });
/** From `two` to `one`: the first command opens it. */
const openChannel = async (): Promise<void> => {
  const body = JSON.stringify({ label: 'desk' });
  const more = { 'content-type': 'application/json' };
  expect(
    (await fetch(`${nodes.two.url}/session`, { method: 'PATCH', headers: { ...headers, ...more }, body })).status,
  ).toBe(200);
  await settleNetwork();
};
const codeOf = (response: Response): unknown[] => [response.status, response.headers.get('x-error-code')];

describe('a session leaves its node', () => {
  it('[CL5.25] while the body of a request is still on its way: the next owner gets it', async () => {
    const body = messageOf('in two parts');
    const asked = request(`${nodes.one.url}/message`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-type': 'application/json', 'content-length': body.length },
    });
    const answered = new Promise<[number | undefined, string]>((resolve, reject) => {
      asked.on('error', reject);
      asked.on('response', (response) => void text(response).then((said) => resolve([response.statusCode, said])));
    });
    asked.write(body.slice(0, 10));
    await settleNetwork();
    expect(isUnderWay()).toBe(true);
    await leave();
    asked.end(body.slice(10));
    await settleNetwork();
    await arrive();
    expect(await whileTimePasses(nodes.clock, answered)).toEqual([200, '{"messageId":"1"}\n']);
    expect(sent).toEqual(['in two parts']);
    expect(nodes.one.outcomes).toEqual(['answered']);
  });

  describe('while Telegram has its call', () => {
    /** The account of the next owner. */
    let next: TelegramAccount;
    let cut: () => void;
    /** At any node. */
    let methodCalls: number;
    beforeEach(() => {
      methodCalls = 0;
      const raw = (call: () => Promise<never>): TelegramAccount['raw'] => ({
        prepare: async () => ({ sent: undefined, send: () => ((methodCalls += 1), call()) }),
      });
      next = { ...account, raw: raw(() => Promise.reject(new Error('made twice'))) };
      let fail: (error: Error) => void = () => {};
      const calling = new Promise<number>((_, reject) => {
        fail = reject;
      });
      calling.catch(() => {});
      const cutOff = {
        ...account,
        sendText: (() => calling) as TelegramAccount['sendText'],
        raw: raw(() => calling as Promise<never>),
      };
      nodes.one.gate.accounts.set(headers.id, cutOff);
      account = next;
      cut = () => fail(new NotConnectedError('the session has ended'));
    });

    const cases = [
      ['its own node', () => nodes.one.url],
      ['another node', () => nodes.two.url],
      ['another node’s channel', () => nodes.two.url],
    ] as const;

    it.each(cases)('[CL5.25] a request through %s with a key is answered by the next owner', async (way, through) => {
      if (way.endsWith('channel')) await openChannel();
      const answer = send(through(), { 'idempotency-key': 'key' });
      await settleNetwork();
      await leave();
      cut();
      await settleNetwork();
      await arrive();
      expect((await whileTimePasses(nodes.clock, answer)).status).toBe(200);
      expect(sent).toEqual(['hello']);
    });

    const keyless: [string, Record<string, string>][] = [
      ['without a key', {}],
      ['with an empty one', { 'idempotency-key': '' }],
    ];
    it.each(cases.flatMap(([way, through]) => keyless.map(([what, more]) => [way, what, through, more] as const)))(
      '[CL5.25] a request through %s %s is 500, and nothing is repeated',
      async (way, _what, through, more) => {
        if (way.endsWith('channel')) await openChannel();
        const answer = send(through(), more);
        await settleNetwork();
        await leave();
        cut();
        await settleNetwork();
        await arrive();
        expect(codeOf(await whileTimePasses(nodes.clock, answer))).toEqual([500, 'node_lost']);
        expect(sent).toEqual([]);
      },
    );

    it.each(cases)(
      '[CL5.25] a call of a method through %s is 500 with a key too: it heeds none, and would be made twice',
      async (way, through) => {
        if (way.endsWith('channel')) await openChannel();
        const answer = fetch(`${through()}/telegram/messages.sendMessage`, {
          method: 'POST',
          headers: { id: headers.id, 'content-type': 'application/json', 'idempotency-key': 'key' },
          body: '{"params":{}}',
        });
        await settleNetwork();
        expect(methodCalls).toBe(1);
        await leave();
        cut();
        await settleNetwork();
        await arrive();
        expect(codeOf(await whileTimePasses(nodes.clock, answer))).toEqual([500, 'node_lost']);
        expect(methodCalls).toBe(1);
      },
    );

    it.each(cases)(
      '[CL5.25] a request through %s has 5 seconds for that, after a minute’s work too',
      async (way, through) => {
        if (way.endsWith('channel')) await openChannel();
        const answer = send(through(), { 'idempotency-key': 'key' });
        await passTime(nodes.clock, 60_000);
        await leave();
        cut();
        await passTime(nodes.clock, 4_000);
        await arrive();
        expect((await whileTimePasses(nodes.clock, answer)).status).toBe(200);
        expect(sent).toEqual(['hello']);
      },
    );

    it('[CL5.3] [CL5.25] a request with a key is 500 with Retry-After if there is no owner within 5 seconds', async () => {
      const answer = send(nodes.one.url, { 'idempotency-key': 'key' });
      await settleNetwork();
      await leave();
      cut();
      const response = await whileTimePasses(nodes.clock, answer);
      expect([...codeOf(response), response.headers.get('retry-after')]).toEqual([500, 'session_not_active', '2']);
    });

    it('[SE2.3] a request of a session that stays is answered as before', async () => {
      const answer = send(nodes.one.url, { 'idempotency-key': 'key' });
      await settleNetwork();
      cut();
      expect(codeOf(await answer)).toEqual([500, 'session_not_connected']);
    });
  });

  it('[CL5.24] [CL5.25] before it is connected there: a request that waits for that goes on at the next owner', async () => {
    await leave();
    nodes.owners.set(headers.id, 'one');
    await nodes.one.gate.sessions.take({ has: (id) => id === headers.id, numbers: [0] });
    const answer = send(nodes.one.url);
    await passTime(nodes.clock, 1_000);
    nodes.owners.set(headers.id, undefined);
    await passTime(nodes.clock, 100);
    expect(isUnderWay()).toBe(false);
    await leave();
    await arrive();
    expect((await whileTimePasses(nodes.clock, answer)).status).toBe(200);
    expect(sent).toEqual(['hello']);
  });
});

describe('a node does not wait', () => {
  it('[CL4.5] for requests that have their response', async () => {
    expect((await send(nodes.one.url)).status).toBe(200);
    await settleNetwork();
    expect(isUnderWay()).toBe(false);
  });

  it('[CL4.5] for streams of events', async () => {
    const path = '/session/messages/stream?reader=r';
    const stream = await fetch(`${nodes.one.url}${path}`, { headers: { ...headers } });
    expect([stream.status, isUnderWay()]).toEqual([200, false]);
    await stream.body?.cancel();
  });

  it('[CL4.5] for WebSockets and uploads', async () => {
    const socket = new WebSocket(`${nodes.one.url.replace('http', 'ws')}/session/messages?reader=r`, {
      headers: { ...headers },
    });
    await new Promise((resolve) => {
      socket.once('open', resolve);
    });
    const upload = request(`${nodes.one.url}/file?name=long`, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-type': 'text/plain', 'content-length': 100_000 },
    });
    upload.on('error', () => {});
    upload.write('the first part');
    await settleNetwork();
    expect(isUnderWay()).toBe(false);
    socket.terminate();
    upload.destroy();
  });
});
