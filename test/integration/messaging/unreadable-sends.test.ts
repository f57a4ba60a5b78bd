import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { IdempotentSends } from '../../../src/messaging/idempotent-sends.ts';
import { openStore } from '../../../src/store/events/open-store.ts';
import type { BeginSend } from '../../../src/telegram/port/outgoing.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../support/kit/clock.ts';
import { whileTimePasses } from '../../support/kit/passing-time.ts';
import type { PlantedEvent } from '../../support/store/plant-event.ts';
import { type PlantedStore, plantedStores } from '../../support/store/planted-stores.ts';

const events: Record<string, PlantedEvent> = {
  'no-metadata': { type: 'BasketOpened', data: '{"any":1}', metadata: undefined },
  'broken-json': { type: 'SendBegun', data: '{"key":', metadata: '{}' },
  'newer-version': { type: 'SendBegun', data: '{"keys":["a"]}', metadata: '{"version":99}' },
  'wrong-shape': { type: 'SendBegun', data: '{"key":1}', metadata: '{}' },
  'unknown-type': { type: 'SendWithdrawn', data: '{"key":"a"}', metadata: '{}' },
};
const refusal = { statusCode: 503, message: 'the idempotency keys of this session cannot be read' };

let clock: DrivenClock;
let randomness: Randomness;
let place: PlantedStore;
let store: EventStore;
let sends: IdempotentSends;
let unreadable: string[];
let sent: string[];

const start = (): IdempotentSends =>
  new IdempotentSends({
    store,
    clock,
    randomness,
    fingerprint: async (_session, text) => Buffer.from(text.padEnd(16)),
    log: { warn: () => {} },
    reportUnreadable: ({ stream, revision, reason }) => void unreadable.push(`${stream} ${revision} ${reason}`),
  });
const send = (session: string, key: string): Promise<string> =>
  sends.once({ sessionId: session }, key, 'hello', async (begin: BeginSend) => {
    await begin();
    sent.push(`${session} ${key}`);
    return 'sent';
  });

describe.each(Object.entries(plantedStores))('keyed sends, on %s', (_place, open) => {
  beforeEach(async () => {
    // The store's own time is the machine's: planted events are of today.
    clock = createDrivenClock({ startAt: Date.now() });
    randomness = createSeededRandomness(1, clock);
    place = await open();
    store = await openStore(place.url, {
      clock,
      randomness,
      log: { info: () => {}, warn: () => {}, error: () => {} },
    });
    unreadable = [];
    sent = [];
    sends = start();
  });
  afterEach(async () => {
    await whileTimePasses(clock, store.close());
    await place.remove();
  });

  it.each(Object.entries(events))(
    '[FA7.4] of a session are 503 at a start if an event of theirs cannot be read, those of others are not: %s',
    async (reason, event) => {
      await send('s1', 'before');
      await place.plant('send-s1', event);
      sends = start();
      await expect(send('s1', 'before')).rejects.toMatchObject(refusal);
      await expect(send('s1', 'after')).rejects.toMatchObject(refusal);
      expect(await send('s2', 'after')).toBe('sent');
      expect(sent).toEqual(['s1 before', 's2 after']);
      expect(new Set(unreadable)).toEqual(new Set([`send-s1 2 ${reason}`]));
    },
  );

  it('[FA7.4] of a session are 503 from the moment on in which an event that cannot be read is met', async () => {
    await send('s1', 'before');
    await place.plant('send-s1', events['no-metadata'] as PlantedEvent);
    await expect(send('s1', 'after')).rejects.toMatchObject(refusal);
    await expect(send('s1', 'before')).rejects.toMatchObject(refusal);
    expect(sent).toEqual(['s1 before']);
  });

  it('[FA7.4] of a session are possible again a day later: no key is remembered for longer', async () => {
    await place.plant('send-s1', events['newer-version'] as PlantedEvent);
    await expect(send('s1', 'one')).rejects.toMatchObject(refusal);
    await clock.advance(25 * 60 * 60_000);
    expect(await send('s1', 'one')).toBe('sent');
    expect(await send('s1', 'one')).toBe('sent');
    expect(sent).toEqual(['s1 one']);
  });
});
