import { getEventListeners, once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { App } from '../../../../src/http/shared/app-types.ts';
import { sendError } from '../../../../src/http/shared/error-responses.ts';
import { EventStreams } from '../../../../src/http/shared/event-stream.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';

const count = 400;
const data = 'x'.repeat(256 * 1024);

let clock: DrivenClock;
let app: App;
/** How many events the source has given. */
let given: number;
let over: Gate;
let isOver: boolean;
let left: AbortSignal | undefined;
/** What a request to `/late` waits for before its stream is opened. */
let late: { arrived: Gate; released: Gate };

/** 100 MB, as fast as they are taken. */
async function* events(signal: AbortSignal) {
  left = signal;
  try {
    for (given = 0; given < count && !signal.aborted; given += 1) yield { id: String(given), event: 'item', data };
  } finally {
    isOver = true;
    over.open();
  }
}

beforeEach(async () => {
  clock = createDrivenClock();
  given = 0;
  isOver = false;
  over = createGate();
  left = undefined;
  late = { arrived: createGate(), released: createGate() };
  app = fastify();
  app.setErrorHandler(sendError);
  const streams = new EventStreams(app, clock, () => () => {});
  app.get('/', (_request, reply) => streams.send(reply, 'a', events));
  app.get('/late', async (_request, reply) => {
    late.arrived.open();
    await late.released.passed;
    return streams.send(reply, 'late', events);
  });
  app.get('/:key', (request, reply) => streams.send(reply, (request.params as { key: string }).key, events));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** The response, of which nothing has been read yet. */
async function open(path = '/'): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', path });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Until the source has rested for a while. */
async function rested(): Promise<number> {
  for (let quiet = 0, before = given; quiet < 200; quiet = given === before ? quiet + 1 : 0, before = given)
    await turn();
  return given;
}

describe('a stream of events', () => {
  it('[AD3.1] is not read from its source faster than its reader takes it, and is whole', async () => {
    const response = await open();
    // What the sockets hold is some megabytes.
    expect(await rested()).toBeLessThan(count / 4);
    let text = '';
    let listeners = 0;
    for await (const part of response.setEncoding('utf8')) {
      text += part as string;
      if (left !== undefined) listeners = Math.max(listeners, getEventListeners(left, 'abort').length);
    }
    const ids = Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id));
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index));
    expect([isOver, clock.armed()]).toEqual([true, 0]);
    // However often the source waited.
    expect(listeners).toBe(0);
  });

  it('[AD3.2] ends when its reader leaves, though it was waited for', async () => {
    const response = await open();
    await rested();
    response.destroy();
    await over.passed;
    expect([left?.aborted, clock.armed()]).toEqual([true, 0]);
    expect(given).toBeLessThan(count / 4);
  });
});

it('[OP2.2] a stream that is opened while the gateway closes ends at once', async () => {
  const response = open('/late');
  await late.arrived.passed;
  const closing = app.close();
  await turn();
  late.released.open();
  expect(await (await response).setEncoding('utf8').toArray()).toEqual(['retry: 2000\n\n']);
  await closing;
  expect([left?.aborted, given, clock.armed()]).toEqual([true, 0, 0]);
});

it('[NB3.1] has room for 16 streams of a session, and for another one when one of them has ended', async () => {
  const streams = await Promise.all(Array.from({ length: 16 }, () => open()));
  expect(streams.map(({ statusCode }) => statusCode)).toEqual(streams.map(() => 200));
  const refused = await open();
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '5']);
  streams.push(await open('/b'));
  expect(streams.at(-1)?.statusCode).toBe(200);
  streams[3]?.destroy();
  await over.passed;
  streams.push(await open());
  expect(streams.at(-1)?.statusCode).toBe(200);
  expect((await open()).statusCode).toBe(429);
  for (const stream of streams) stream.destroy();
});
