import { Duplex } from 'node:stream';
import type { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { expect, it } from 'vitest';
import { BatchCall } from '../../../../../src/store/events/kurrent/batch-append.ts';

const append = { stream: 'session-1', expected: 'any', events: [] } as const;

/** The half of the client that opens calls, with calls that a test ends. */
function client(): { client: KurrentDBClient; calls: Duplex[] } {
  const calls: Duplex[] = [];
  const half = {
    supports: async () => true,
    GRPCStreamCreator: () => async () => {
      const call = new Duplex({ objectMode: true, read() {}, write: (_request, _encoding, done) => done() });
      calls.push(call);
      return call;
    },
  };
  return { client: half as unknown as KurrentDBClient, calls };
}

it('[FA2.1] the end of a call that is told twice leaves the next one as it is', async () => {
  const { client: of, calls } = client();
  const first = await BatchCall.of(of);
  const waiting = first?.append(append);
  calls[0]?.emit('error', new Error('cut'));
  await expect(waiting).rejects.toThrow('cut');
  const next = await BatchCall.of(of);
  expect(next).not.toBe(first);
  calls[0]?.emit('end');
  expect(await BatchCall.of(of)).toBe(next);
  expect(calls).toHaveLength(2);
});

it('[FA2.1] an append that cannot be sent fails at once', async () => {
  const { client: of, calls } = client();
  const call = await BatchCall.of(of);
  // As after a connection that broke without a word.
  calls[0]?.on('error', () => {}).destroy();
  await expect(call?.append(append)).rejects.toThrow('destroyed');
});
