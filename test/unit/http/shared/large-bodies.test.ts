import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { beforeEach, expect, it } from 'vitest';
import { LargeBodies } from '../../../../src/http/shared/limits/large-bodies.ts';
import { createGate } from '../../../support/kit/gate.ts';

/** What bodies with files in them take of the memory (NB2.6). */

const megabyte = 1024 * 1024;
const ofSession = { statusCode: 429, message: 'too many files of this session are under way', retryAfterSeconds: 5 };
const ofAll = { statusCode: 503, message: 'too many files are under way', retryAfterSeconds: 5 };
let bodies: LargeBodies;
beforeEach(() => {
  bodies = new LargeBodies();
});

interface Begun {
  request: FastifyRequest;
  refusal: Error | null;
  payload: RequestPayload | undefined;
  /** The response has ended, or the caller left. */
  leave: () => void;
}

/** A request with a body of so many bytes; undefined: it does not say. */
function begin(id: string, length: number | undefined, incoming: RequestPayload = new PassThrough()): Begun {
  const headers = length === undefined ? {} : { 'content-length': String(length) };
  const request = { headers, view: { id }, routeOptions: { bodyLimit: 14 * megabyte } } as unknown as FastifyRequest;
  const raw = new EventEmitter();
  const begun: Begun = { request, refusal: null, payload: undefined, leave: () => void raw.emit('close') };
  bodies.count(request, { raw } as unknown as FastifyReply, incoming, (refusal, payload) => {
    begun.refusal = refusal;
    begun.payload = payload;
  });
  return begun;
}
const refusalOf = (id: string, length: number): Error | null => {
  const begun = begin(id, length);
  begun.leave();
  return begun.refusal;
};

it('[NB2.6] a session has 30 MB of them at a time', () => {
  const first = begin('a', 14 * megabyte);
  begin('a', 14 * megabyte);
  expect(refusalOf('a', 2 * megabyte + 1)).toMatchObject(ofSession);
  expect(refusalOf('a', 2 * megabyte)).toBeNull();
  expect(refusalOf('b', 14 * megabyte)).toBeNull();
  first.leave();
  expect(refusalOf('a', 14 * megabyte)).toBeNull();
});

it('[NB2.6] all sessions have 64 MB', () => {
  for (const id of ['a', 'b', 'c', 'd']) begin(id, 14 * megabyte);
  expect(refusalOf('e', 8 * megabyte + 1)).toMatchObject(ofAll);
  expect(refusalOf('e', 8 * megabyte)).toBeNull();
});

it('[NB2.6] bodies of up to 256 KB are not among them, and of a longer one than allowed nothing is read', () => {
  begin('a', 14 * megabyte);
  begin('a', 14 * megabyte);
  for (let count = 0; count < 100; count += 1) expect(begin('a', 256 * 1024).refusal).toBeNull();
  expect(refusalOf('b', 1e12)).toBeNull();
});

it('[NB2.6] a body that does not say its length counts as it arrives', async () => {
  begin('a', 14 * megabyte);
  const incoming = new PassThrough();
  const { payload, leave } = begin('a', undefined, incoming);
  const failed = once(payload as PassThrough, 'error');
  (payload as PassThrough).resume();
  for (let sent = 0; sent < 16; sent += 1) incoming.write(Buffer.alloc(megabyte));
  await new Promise(setImmediate);
  expect(refusalOf('a', 256 * 1024 + 1)).toMatchObject(ofSession);
  incoming.write('x');
  expect(await failed).toMatchObject([ofSession]);
  leave();
  expect(refusalOf('a', 14 * megabyte)).toBeNull();
});

it('[NB2.6] a body that does not say its length, and is short, is not counted', async () => {
  begin('a', 14 * megabyte);
  begin('a', 14 * megabyte);
  const { payload } = begin('a', undefined, new PassThrough().end('short'));
  expect(await (payload as PassThrough).toArray()).toEqual([Buffer.from('short')]);
});

it('[NB2.6] a send that goes on when its caller has left keeps what it holds', async () => {
  begin('a', 14 * megabyte);
  const send = begin('a', 14 * megabyte);
  const sent = createGate();
  const done = bodies.during(send.request, () => sent.passed);
  send.leave();
  expect(refusalOf('a', 3 * megabyte)).toMatchObject(ofSession);
  sent.open();
  await done;
  expect(refusalOf('a', 3 * megabyte)).toBeNull();
});
