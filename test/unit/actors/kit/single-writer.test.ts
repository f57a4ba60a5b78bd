import { describe, expect, it } from 'vitest';
import { exponentialBackoff, type RetryPolicy, storeAway, storeHiccup } from '../../../../actors/kit/retry-policy.ts';
import { SingleWriter } from '../../../../actors/kit/single-writer.ts';
import {
  type EventStore,
  type NewEvent,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../../actors/ports/event-store.ts';
import { type Happened, WriterWorld } from '../../../support/actors/writer-world.ts';
import { createDrivenClock, createSeededRandomness } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate } from '../../../support/kit/gate.ts';
import { createFaultyStore, type Fault } from '../../../support/store/faulty-store.ts';
import { layerOver } from '../../../support/store/layer-over.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const seeds = Array.from({ length: 400 }, (_, index) => index + 1);

describe.each([
  ['impatient', storeHiccup],
  ['patient', storeAway],
] as const)('a %s writer', (name, policy) => {
  it('[MS7.3] loses nothing and records nothing twice, whatever the store, a rival or a close does', async () => {
    const happened: Happened = new Map();
    for (const seed of seeds) {
      await new WriterWorld(seed, policy, happened).run().catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
      });
    }
    const everywhere =
      'fails-before,fails-after,slow-before,slow-after,commits-late,conflict,retried,closed in doubt'.split(',');
    const ofDoubts = [
      'given up',
      'settled: recorded',
      'settled: not recorded',
      'conflict when settled',
      'recorded after it was settled',
    ];
    for (const what of name === 'impatient' ? [...everywhere, ...ofDoubts] : everywhere) {
      expect([what, happened.get(what) ?? 0]).toEqual([what, expect.toSatisfy((count: number) => count >= 3)]);
    }
  });
});

let eventNumber = 0;
const newEvent = (): NewEvent => ({ id: `event-${(eventNumber += 1)}`, type: 'Done', data: {}, metadata: {} });

function given(faults: (Fault | undefined)[] = [], otherwise: Partial<EventStore> = {}, policy?: RetryPolicy) {
  const clock = createDrivenClock();
  const startedAt = clock.now();
  const below = createMemoryStore(clock);
  const appended: { at: number; ids: string[] }[] = [];
  const store = createFaultyStore(below, (_stream, events) => {
    appended.push({ at: clock.now() - startedAt, ids: events.map(({ id }) => id) });
    return faults.shift();
  });
  const retried: number[] = [];
  const deps = { store: layerOver(store, otherwise), clock, random: createSeededRandomness(1, clock) };
  const writer = new SingleWriter<NewEvent>(deps, {
    stream: 's',
    revision: -1,
    ...(policy && { policy }),
    onRetry: (_error, failures) => retried.push(failures),
  });
  return { clock, below, store, deps, writer, appended, retried };
}

const away = (count: number, kind: 'fails-before' | 'fails-after' = 'fails-before'): Fault[] =>
  Array.from({ length: count }, () => ({ kind }));
const idsIn = async (store: EventStore): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of store.read('s')) ids.push(id);
  return ids;
};

describe('a write', () => {
  it('[WH4.1] appends all of its events behind the last one, and says where they stand', async () => {
    const { below, writer } = given();
    const [one, two, three] = [newEvent(), newEvent(), newEvent()];
    expect(await writer.write([one])).toMatchObject({ events: [one], revision: 0 });
    expect(await writer.write([two, three])).toMatchObject({ events: [two, three], revision: 2 });
    expect(await idsIn(below)).toEqual([one.id, two.id, three.id]);
    expect(writer.inDoubt).toBe(false);
  });

  it('[ER1.1] is tried again with the same IDs, and given up after 1.6 s: then it is in doubt', async () => {
    const { clock, writer, appended, retried } = given(away(5));
    const event = newEvent();
    const failure = failureOf(writer.write([event]));
    await clock.advance(1_600);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    expect(appended.map(({ at }) => at)).toEqual([0, 50, 200, 600, 1_600]);
    expect(new Set(appended.flatMap(({ ids }) => ids))).toEqual(new Set([event.id]));
    expect([writer.inDoubt, retried, clock.armed()]).toEqual([true, [1, 2, 3, 4], 0]);
  });

  it('[WH4.2] of a patient writer waits as long as the store is away', async () => {
    const { clock, below, writer } = given(away(40), {}, exponentialBackoff(250, 30_000));
    const event = newEvent();
    const written = writer.write([event]);
    await clock.advance(60 * 60_000);
    expect(await written).toMatchObject({ revision: 0 });
    expect(await idsIn(below)).toEqual([event.id]);
  });

  it('[MS7.3] whose answers were lost is recorded once', async () => {
    const { clock, below, writer } = given(away(3, 'fails-after'));
    const written = writer.write([newEvent()]);
    await clock.advance(1_600);
    expect(await written).toMatchObject({ revision: 0 });
    expect(await idsIn(below)).toHaveLength(1);
  });

  it('[MS7.3] that is answered at its repetition fails if something else was written behind it', async () => {
    const { clock, below, writer } = given(away(1, 'fails-after'));
    const rival = newEvent();
    const failure = failureOf(writer.write([newEvent()]));
    await clock.settle();
    await below.append('s', 0, [rival]);
    await clock.advance(50);
    expect(await failure).toBeInstanceOf(WrongExpectedRevisionError);
    expect([writer.inDoubt, (await idsIn(below)).at(-1)]).toEqual([false, rival.id]);
  });

  it('[MS7.3] stays in doubt if what stands behind its repetition cannot be read', async () => {
    const { clock, writer } = given(away(1, 'fails-after'), {
      last: () => Promise.reject(new StoreUnavailableError('away')),
    });
    const failure = failureOf(writer.write([newEvent()]));
    await clock.advance(1_600);
    expect(await failure).toBeInstanceOf(StoreUnavailableError);
    expect(writer.inDoubt).toBe(true);
  });

  it('[MS7.3] finds itself behind a conflict, in a store that does not know its own events again', async () => {
    const first = newEvent();
    let tries = 0;
    const { clock, below, deps } = given();
    const forgetful = layerOver(deps.store, {
      append: async (stream, expected, events) => {
        tries += 1;
        if (tries > 1) throw new WrongExpectedRevisionError(stream, expected, 0);
        await below.append(stream, expected, events);
        throw new StoreUnavailableError('the answer is lost');
      },
    });
    const writer = new SingleWriter<NewEvent>({ ...deps, store: forgetful }, { stream: 's', revision: -1 });
    const written = writer.write([first]);
    await clock.advance(50);
    expect(await written).toMatchObject({ events: [first], revision: 0 });
    expect(writer.inDoubt).toBe(false);
  });

  it('[MS7.3] fails at once, and without a doubt, if something else has written', async () => {
    const rival = newEvent();
    const { below, writer } = given([{ kind: 'conflict', rival }]);
    expect(await failureOf(writer.write([newEvent()]))).toBeInstanceOf(WrongExpectedRevisionError);
    expect([writer.inDoubt, await idsIn(below)]).toEqual([false, [rival.id]]);
  });

  it('[WH4.4] that no retry can help against fails at once', async () => {
    const tooLarge = new RangeError('too large');
    const { clock, writer, retried } = given([], { append: () => Promise.reject(tooLarge) });
    expect(await failureOf(writer.write([newEvent()]))).toBe(tooLarge);
    expect([retried, clock.armed(), await writer.settle()]).toEqual([[], 0, undefined]);
  });

  it('[MS7.3] is refused while the one before is in doubt', async () => {
    const { clock, writer } = given(away(5));
    const failure = failureOf(writer.write([newEvent()]));
    await clock.advance(1_600);
    await failure;
    await expect(writer.write([newEvent()])).rejects.toThrow('not settled');
    expect(await writer.settle()).toBeUndefined();
    expect(await writer.write([newEvent()])).toMatchObject({ revision: 0 });
  });
});

describe('settling', () => {
  it('[MS7.3] finds what was recorded, and goes on behind it', async () => {
    const { clock, writer } = given(away(5, 'fails-after'));
    const event = newEvent();
    const failure = failureOf(writer.write([event]));
    await clock.advance(1_600);
    await failure;
    expect(await writer.settle()).toMatchObject({ events: [event], revision: 0 });
    expect(await writer.write([newEvent()])).toMatchObject({ revision: 1 });
  });

  it('[MS7.3] leaves the doubt while the store cannot be read', async () => {
    let isAway = true;
    const { clock, below, writer } = given(away(5), {
      last: (stream) => (isAway ? Promise.reject(new StoreUnavailableError('away')) : below.last(stream)),
    });
    const failure = failureOf(writer.write([newEvent()]));
    await clock.advance(1_600);
    await failure;
    await expect(writer.settle()).rejects.toThrow(StoreUnavailableError);
    expect(writer.inDoubt).toBe(true);
    isAway = false;
    expect([await writer.settle(), writer.inDoubt]).toEqual([undefined, false]);
  });

  it('[MS7.3] tells of another writer', async () => {
    const { clock, below, writer } = given(away(5));
    const failure = failureOf(writer.write([newEvent()]));
    await clock.advance(1_600);
    await failure;
    await below.append('s', 'no-stream', [newEvent()]);
    await expect(writer.settle()).rejects.toThrow(WrongExpectedRevisionError);
  });

  it('[MS7.3] has nothing to say without a doubt', async () => {
    const { writer } = given();
    expect(await writer.settle()).toBeUndefined();
  });
});

describe('closing', () => {
  it('[OP2.2] ends a wait at once, for the reason given, and leaves no timer', async () => {
    const { clock, writer } = given(away(5));
    const failure = failureOf(writer.write([newEvent()]));
    await clock.advance(100);
    expect(clock.armed()).toBe(1);
    writer.close(new Error('the session is closed'));
    expect(await failure).toMatchObject({ message: 'the session is closed' });
    expect([clock.armed(), writer.inDoubt]).toEqual([0, true]);
  });

  it('[OP2.2] lets an append in flight end, and begins no other', async () => {
    const { clock, below, store, writer } = given([{ kind: 'slow-after' }]);
    const written = writer.write([newEvent()]);
    await clock.settle();
    writer.close();
    store.release();
    expect(await written).toMatchObject({ revision: 0 });
    await expect(writer.write([newEvent()])).rejects.toThrow('s is closed');
    expect([await idsIn(below), writer.inDoubt]).toEqual([[expect.any(String)], false]);
  });

  it('[OP2.2] does not try again what fails after it', async () => {
    const gate = createGate();
    const { clock, writer, retried } = given([], {
      append: async () => {
        await gate.passed;
        throw new StoreUnavailableError('away');
      },
    });
    const failure = failureOf(writer.write([newEvent()]));
    writer.close(new Error('the session is closed'));
    gate.open();
    expect(await failure).toMatchObject({ message: 'the session is closed' });
    expect([retried, clock.armed(), writer.inDoubt]).toEqual([[], 0, true]);
  });
});
