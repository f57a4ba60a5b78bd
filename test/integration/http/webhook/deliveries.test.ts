import { afterEach, beforeEach, expect, it } from 'vitest';
import { type SessionHeaders, startTestApp, type TestApp } from '../../../support/gateway/http-app.ts';
import { startWebServer, type WebServer } from '../../../support/kit/web-server.ts';
import { appendDeliveries } from '../../../support/webhook/delivery-stream.ts';

let gate: TestApp;
let receiver: WebServer;
let headers: SessionHeaders;
let webhookId: string;

beforeEach(async () => {
  receiver = await startWebServer((request, response) => {
    request.resume().on('end', () => response.writeHead(500).end());
  });
  gate = await startTestApp();
  headers = await gate.session({ webhook: { url: receiver.url, token: 'x' } });
  const { docs } = (await call('GET', '/session/webhooks')).body as { docs: { id: string }[] };
  webhookId = docs[0]?.id ?? expect.fail();
  const content = (id: number): string =>
    `x|${JSON.stringify({ user: { id: `${id}`, name: 'Bob', username: '', phone: '' }, upTo: 7, fromMe: false })}`;
  const chat = async (name: string): Promise<string> =>
    (await gate.sealer.fingerprint(headers.id, name)).toString('base64url');
  const since = Number.parseInt(webhookId, 36);
  const of = async (id: number) =>
    ({ type: 'MessagesRead', content: content(id), since, chat: await chat(`${id}`) }) as const;
  await appendDeliveries(gate.store, [await of(2000), await of(2001), await of(2000)], headers.id);
});
afterEach(async () => {
  await gate.close();
  await receiver.close();
});

const call = (method: 'GET' | 'POST', url: string, body?: object) => gate.call(method, url, { headers, body });
const paths = () => ['/session/webhook', `/session/webhooks/${webhookId}`];
const docs = (body: Record<string, unknown>) => body['docs'] as { seq: number; event?: object }[];

it('[OS4.1] are listed page by page with their envelopes, below each webhook', async () => {
  for (const path of paths()) {
    const first = (await call('GET', `${path}/deliveries?limit=2`)).body;
    expect(docs(first).map(({ seq }) => seq)).toEqual([3, 2]);
    expect(docs(first)[0]).toMatchObject({
      type: 'message.read',
      status: 'pending',
      event: { seq: 3, previous: 2, session: { id: headers.id }, data: { chatId: '2000', upTo: '7' } },
    });
    const rest = (await call('GET', `${path}/deliveries?limit=2&after=${String(first['after'])}`)).body;
    expect([docs(rest).map(({ seq }) => seq), rest['after']]).toEqual([[1], '']);
    const ofChat = (await call('GET', `${path}/deliveries?status=pending&chatId=2000`)).body;
    expect(docs(ofChat).map(({ seq }) => seq)).toEqual([1, 3]);
    expect(docs((await call('GET', `${path}/deliveries?status=parked`)).body)).toEqual([]);
  }
});

it('[OS4.1] queries that make no sense are refused', async () => {
  for (const [query, message] of [
    ['status=late', 'status must be one of the following values: pending, parked, delivered'],
    ['limit=0', 'limit must be between 1 and 100'],
    ['limit=101', 'limit must be between 1 and 100'],
    ['after=17', 'after must be that of a page'],
  ]) {
    for (const path of paths()) {
      expect((await call('GET', `${path}/deliveries?${query}`)).body).toEqual({ statusCode: 400, message });
    }
  }
});

it('[OS4.1] are those of a webhook that is there, and of a caller who may see them', async () => {
  expect(await call('GET', '/session/webhooks/unknown/deliveries')).toMatchObject({
    status: 404,
    body: { message: 'webhook not found' },
  });
  const wrong = { ...headers, 'session-id': 'wrong' };
  expect((await gate.call('GET', '/session/webhook/deliveries', { headers: wrong })).status).toBe(404);
});

it('[OS4.4] a replay takes exactly one choice', async () => {
  for (const [body, message] of [
    [{}, 'from should not be empty'],
    [{ from: 1, seqs: [1] }, 'body must have only one of from, seqs, parked'],
    [{ from: 1, parked: true }, 'body must have only one of from, seqs, parked'],
    [{ from: 'x' }, 'from must be a positive number'],
    [{ from: 1.5 }, 'from must be an integer'],
    [{ from: 1, to: 0 }, 'to must be a positive number'],
    [{ from: 2, to: 1 }, 'to must not be less than from'],
    [{ seqs: [1], to: 1 }, 'to needs from'],
    [{ seqs: [] }, 'seqs should not be empty'],
    [{ seqs: [1.5] }, 'seqs.0 must be an integer'],
    [{ seqs: Array.from({ length: 101 }, () => 1) }, 'seqs must have between 1 and 100 entries'],
    [{ parked: false }, 'parked must be true'],
  ] as const) {
    expect((await call('POST', '/session/webhook/replay', body)).body).toEqual({ statusCode: 400, message });
  }
  for (const body of [{ from: 1 }, { from: 1, to: 2 }, { seqs: [3] }, { parked: true }]) {
    for (const path of paths()) {
      expect((await call('POST', `${path}/replay`, body)).body).toEqual({ id: headers.id, pending: 3 });
    }
  }
});
