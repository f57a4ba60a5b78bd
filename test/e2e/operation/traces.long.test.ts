import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { ann, onKurrentDb, openScene, type Scene } from '../../support/e2e/scene.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';
import { OtlpReceiver, type ReceivedSpan } from '../../support/metrics/otlp-receiver.ts';

const scenes: Scene[] = [];
const receivers: OtlpReceiver[] = [];
const servers: WebServer[] = [];
afterEach(async () => {
  await Promise.all(scenes.splice(0).map((scene) => scene.close()));
  await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function open(environment: Record<string, string> = {}): Promise<{ scene: Scene; receiver: OtlpReceiver }> {
  const receiver = await new OtlpReceiver().start();
  receivers.push(receiver);
  const scene = await openScene({ environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, ...environment } });
  scenes.push(scene);
  return { scene, receiver };
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
/** What the events are kept in: see `npm run test:kurrentdb`. */
const storeSystem = onKurrentDb ? 'kurrentdb' : 'sqlite';
const parentId = 'b7ad6b7169203331';
const text = 'the train leaves at 8:15';

it('[OP6.1] traces a message from the request over the store to Telegram, within its caller’s trace', async () => {
  const { scene, receiver } = await open();
  const caller = await scene.connected(ann);
  const sent = await scene.gateway.http.request('POST', '/message', {
    headers: {
      ...caller.headers,
      traceparent: `00-${traceId}-${parentId}-01`,
      'idempotency-key': 'one',
    },
    body: { username: 'bob', type: 'text', text },
  });
  expect(sent.status).toBe(200);
  // What has ended is sent before the gateway ends.
  await scene.gateway.close();
  const trace = receiver.spans.filter((span) => span.traceId === traceId);
  const named = (name: string): ReceivedSpan[] => trace.filter((span) => span.name === name);
  const [request] = named('POST /message');
  expect(request).toMatchObject({
    parentSpanId: parentId,
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/message',
      'url.path': '/message',
      'url.scheme': 'http',
      'http.response.status_code': 200,
      'gateway.session': caller.id,
    },
  });
  const [send] = named('messages.SendMessage');
  expect(send).toMatchObject({
    parentSpanId: request?.spanId,
    attributes: { 'rpc.system': 'mtproto', 'rpc.method': 'messages.SendMessage' },
  });
  expect(send?.attributes['telegram.dc']).toBeGreaterThan(0);
  expect(named('append').map(({ attributes, parentSpanId }) => [attributes['gateway.events'], parentSpanId])).toEqual([
    ['SendBegun', request?.spanId],
    ['SendAnswered', request?.spanId],
  ]);
  expect(new Set(named('append').map(({ attributes }) => attributes['db.system.name']))).toEqual(
    new Set([storeSystem]),
  );
  expect([...receiver.services]).toEqual(['telegram-session-gateway']);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect([...receiver.versions]).toEqual([version]);
  expect([...receiver.instances]).toEqual([expect.stringMatching(/^[\da-f-]{36}$/)]);
  expect([...receiver.paths]).toEqual(['POST /v1/traces']);
  for (const secret of [text, caller.sessionId, 'Bob', 'bob', 'tg://']) {
    expect(receiver.bodies.filter((body) => body.includes(secret))).toEqual([]);
  }
});

it('[OP6.1] traces a command through the actor to the event that it records, and nothing that goes on behind it', async () => {
  const { scene, receiver } = await open();
  const caller = await scene.connected(ann);
  await scene.request(caller, 'POST', '/session/reset', {});
  await scene.qrLink(caller);
  await scene.gateway.close();
  const append = receiver.spans.find(({ attributes }) => attributes['gateway.events'] === 'SessionReset');
  expect(append && receiver.lineOf(append)).toEqual(['append', 'session', 'POST /session/reset']);
  const commands = receiver.spans.filter(({ name }) => name === 'POST /session/reset');
  expect(commands).toHaveLength(1);
  const [command] = commands;
  const ofIt = receiver.spans.filter((span) => span.traceId === command?.traceId);
  const late = ofIt.filter(({ startTimeUnixNano }) => startTimeUnixNano > (command?.endTimeUnixNano ?? ''));
  expect(late.map(({ name }) => name)).toEqual([]);
  const roots = receiver.spans.filter(({ parentSpanId }) => parentSpanId === undefined || parentSpanId === '');
  expect(roots.filter(({ kind }) => kind !== 2)).toEqual([]);
  expect(receiver.spans.map(({ name }) => name)).not.toContain('GET /health/ready');
});

it('[OP6.1] names the error of a request that failed, never its text', async () => {
  const { scene, receiver } = await open();
  const caller = await scene.connected(ann);
  await scene.request(caller, 'POST', '/message', { group: '-1003003', type: 'text', text });
  await scene.gateway.close();
  const send = receiver.spans.find(({ name }) => name === 'messages.SendMessage');
  expect(send?.status.code).toBe(2);
  expect(send?.attributes['error.type']).toBe('CHAT_WRITE_FORBIDDEN');
  const request = receiver.spans.find(({ name }) => name === 'POST /message');
  expect(request?.attributes['error.type']).toBe('CHAT_WRITE_FORBIDDEN');
});

it('[OP6.1] traces the delivery of a webhook by itself, and says no more of its URL than the host', async () => {
  const { scene, receiver } = await open({ ALLOW_PRIVATE_URLS: 'true' });
  const delivered: (string | string[] | undefined)[] = [];
  const ids: (string | string[] | undefined)[] = [];
  const server = await startWebServer((request, response) => {
    delivered.push(request.headers['traceparent']);
    ids.push(request.headers['webhook-id']);
    response.writeHead(204).end();
  });
  servers.push(server);
  const caller = await scene.connected(ann);
  const url = `${server.url}/hooks/secret-path?key=secret-query`;
  await scene.request(caller, 'PUT', '/session/webhook', { url, token: 'of-ours' });
  await scene.sandbox.call('POST', '/accounts/1002/messages', { peer: ann, text });
  while (delivered.length === 0) await scene.clock.advance(0);
  await scene.gateway.close();
  const span = receiver.spans.find(({ name }) => name === 'deliver');
  expect(span?.attributes).toEqual({
    'http.request.method': 'POST',
    'server.address': '127.0.0.1',
    'http.response.status_code': 204,
    'gateway.session': caller.id,
    'gateway.event': ids[0],
  });
  // Its receiver can continue the trace.
  expect(delivered).toEqual([`00-${span?.traceId}-${span?.spanId}-01`]);
  expect(receiver.spans.filter(({ traceId: id }) => id === span?.traceId)).toHaveLength(1);
  const updates = receiver.spans.filter(({ name }) => name === 'updates');
  expect(updates).toMatchObject([
    {
      kind: 5,
      attributes: { 'gateway.session': caller.id, 'gateway.updates': 1, 'gateway.update.types': 'message' },
    },
  ]);
  const recorded = receiver.spans.find(({ attributes }) => attributes['gateway.events'] === 'MessageReceived');
  expect(recorded && receiver.lineOf(recorded)).toEqual(['append', 'updates']);
  for (const secret of ['secret-path', 'secret-query', text]) {
    expect(receiver.bodies.filter((body) => body.includes(secret))).toEqual([]);
  }
});

it('[OP7.1] names the trace in the lines that are written within it', async () => {
  const lines: { msg: string; traceId?: string; path?: string }[] = [];
  const receiver = await new OtlpReceiver().start();
  receivers.push(receiver);
  const scene = await openScene({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url },
    logTo: { write: (line) => lines.push(JSON.parse(line) as (typeof lines)[number]) },
  });
  scenes.push(scene);
  const caller = await scene.connected(ann);
  await scene.gateway.http.request('POST', '/session/reset', {
    headers: { ...caller.headers, traceparent: `00-${traceId}-${parentId}-01` },
    body: {},
  });
  await scene.qrLink(caller);
  await scene.gateway.http.request('GET', '/health/live', {});
  const named = lines.filter((line) => line.traceId === traceId);
  expect(named.map(({ msg }) => msg)).toEqual(expect.arrayContaining(['request', 'session changed']));
  const checks = lines.filter(({ path }) => path === '/health/live');
  expect(checks.map((line) => line.traceId)).toEqual([undefined]);
});

it('[OP6.2] takes no sample where none is wanted', async () => {
  const { scene, receiver } = await open({ OTEL_TRACES_SAMPLER_ARG: '0' });
  await scene.create();
  await scene.gateway.close();
  expect(receiver.spans).toEqual([]);
});

it('[OP6.2] lives without a collector, and says so once', async () => {
  const lines: string[] = [];
  const scene = await openScene({
    environment: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    logTo: { write: (line) => lines.push(line) },
  });
  scenes.push(scene);
  const caller = await scene.connected(ann);
  const sent = await scene.request(caller, 'POST', '/message', { username: 'bob', type: 'text', text });
  expect(sent.status).toBe(200);
  await scene.gateway.close();
  const warnings = lines.filter((line) => line.includes('traces cannot be sent'));
  expect(warnings.length).toBe(1);
});
