import { expect, it } from 'vitest';
import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { openVault } from '../../../src/store/vault/vault.ts';
import type { BeginSend } from '../../../src/telegram/port/outgoing.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const session = 's1';

it('[MS7.5] what is kept of a session with more keys than memory holds is read once, and again after 10 idle minutes', async () => {
  const clock = createDrivenClock();
  const randomness = createSeededRandomness(1, clock);
  const store = createMemoryStore(clock);
  const vault = openVault({
    store,
    masterKeys: [randomness.bytes(32)],
    clock,
    randomness,
    reportUnreadable: allReadable,
  });
  const sends = new IdempotentSends({
    store,
    clock,
    randomness,
    fingerprint: (sessionId, text) => vault.fingerprint(sessionId, text),
    log: { warn: () => {} },
    reportUnreadable: allReadable,
  });
  let called = 0;
  const send = async (begin: BeginSend): Promise<{ messageId: string }> => {
    await begin();
    return { messageId: String((called += 1)) };
  };
  await vault.createKey(session);
  await vault.createKey('s2');
  for (const [sessionId, count] of [
    [session, 100_001],
    ['s2', 2],
  ] as const) {
    const events = Array.from({ length: count }, (_, index) => ({
      id: randomness.uuid(),
      type: 'SendBegun',
      data: { key: `key ${index}`, body: 'body', randomId: String(index), at: clock.now() },
      metadata: {},
    }));
    for (let first = 0; first < count; first += 1000) {
      await store.append(`send-${sessionId}`, 'any', events.slice(first, first + 1000));
    }
  }
  const reads: string[] = [];
  const read = store.read.bind(store);
  store.read = (stream, options) => {
    if (stream.startsWith('send-')) reads.push(stream);
    return read(stream, options);
  };
  for (const key of ['a', 'b', 'c']) {
    await sends.once({ sessionId: session }, key, 'hello', send);
    await sends.once({ sessionId: 's2' }, key, 'hello', send);
  }
  expect(reads).toEqual([`send-${session}`, 'send-s2']);
  // Idle for as long as has passed, whatever the wall clock says (OP8.1).
  clock.setWallClockBy(-60 * 60_000);
  await clock.advance(10 * 60_000);
  await sends.once({ sessionId: 's2' }, 'd', 'hello', send);
  await sends.once({ sessionId: 's2' }, 'e', 'hello', send);
  expect(reads).toHaveLength(2);
  await sends.once({ sessionId: session }, 'd', 'hello', send);
  await sends.once({ sessionId: session }, 'a', 'hello', send);
  expect(reads).toEqual([`send-${session}`, 'send-s2', `send-${session}`]);
  expect(called).toBe(9);
});
