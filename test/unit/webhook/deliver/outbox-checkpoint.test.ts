import { beforeEach, describe, expect, it } from 'vitest';
import { type EventStore, StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import { OutboxCheckpoint } from '../../../../src/webhook/deliver/outbox-checkpoint.ts';
import { emptyProgress } from '../../../../src/webhook/stream/outbox-progress.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { allReadable } from '../../../support/store/all-readable.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';

const stream = 'outbox-s1';
let clock: DrivenClock;
let store: EventStore;
let logged: string[];
let chatCount: number;
let seq: number;
let checkpoint: OutboxCheckpoint;

beforeEach(async () => {
  clock = createDrivenClock();
  await clock.advance(250 - (clock.elapsed() % 250));
  store = createMemoryStore(clock);
  logged = [];
  chatCount = 0;
  seq = 0;
  const random = createSeededRandomness(1, clock);
  const retryLog = {
    info: () => {},
    warn: (_fields: object, message: string) => void logged.push(`warn ${message}`),
    error: (_fields: object, message: string) => void logged.push(`error ${message}`),
  };
  checkpoint = new OutboxCheckpoint(
    { store, clock, random, retryLog, reportUnreadable: allReadable },
    { sessionId: 's1', slot: 1 },
    emptyProgress,
    {
      place: () => ({ upTo: { seq, revision: seq - 1 }, chats: {} }),
      chatCount: () => chatCount,
    },
  );
});

/** The numbers up to which all was done, in the saves that are left. */
async function saved(): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { data } of store.read(stream)) seqs.push((data as { upTo: { seq: number } }).upTo.seq);
  return seqs;
}
function moveTo(next: number): void {
  seq = next;
  checkpoint.placeChanged();
}
function refuse(error: Error): () => void {
  const append = store.append.bind(store);
  store.append = () => Promise.reject(error);
  return () => {
    store.append = append;
  };
}

describe('the progress of an outbox', () => {
  it('[WH4.1] is saved at the next quarter of a second, with all changes until then', async () => {
    await clock.advance(100);
    for (const next of [1, 2, 3]) moveTo(next);
    await clock.advance(149);
    expect(await saved()).toEqual([]);
    await clock.advance(1);
    expect(await saved()).toEqual([3]);
    await clock.advance(10_000);
    expect([await saved(), clock.armed()]).toEqual([[3], 0]);
  });

  it.each([
    [499, 250],
    [500, 500],
    [2000, 1250],
  ])('[WH4.7] with %i chats behind is saved within %i ms', async (count, withinMs) => {
    chatCount = count;
    moveTo(1);
    await clock.advance(withinMs - 1);
    expect(await saved()).toEqual([]);
    await clock.advance(1);
    expect(await saved()).toEqual([1]);
  });

  it('[WH4.1] leaves up to 17 saves in its stream', async () => {
    for (let next = 1; next <= 15; next += 1) {
      moveTo(next);
      await clock.advance(250);
    }
    expect(await saved()).toHaveLength(15);
    moveTo(16);
    await clock.advance(250);
    expect(await saved()).toEqual([15, 16]);
    for (let next = 17; next <= 31; next += 1) {
      moveTo(next);
      await clock.advance(250);
    }
    expect(await saved()).toHaveLength(17);
    moveTo(32);
    await clock.advance(250);
    expect(await saved()).toEqual([31, 32]);
  });

  it('[WH4.1] is saved a second after the store was away, and says so', async () => {
    const comeBack = refuse(new StoreUnavailableError('away'));
    moveTo(1);
    await clock.advance(250);
    expect(logged).toEqual(['warn the progress of deliveries could not be saved yet']);
    comeBack();
    await clock.advance(999);
    expect(await saved()).toEqual([]);
    await clock.advance(1);
    expect(await saved()).toEqual([1]);
  });

  it('[FA7.1] that cannot be saved is tried again with the next change alone', async () => {
    const mend = refuse(new TypeError('a defect'));
    moveTo(1);
    await clock.advance(250);
    expect([logged, clock.armed()]).toEqual([['error the progress of deliveries cannot be saved'], 0]);
    mend();
    await clock.advance(60_000);
    expect(await saved()).toEqual([]);
    moveTo(2);
    await clock.advance(250);
    expect(await saved()).toEqual([2]);
  });

  it('[WH4.1] is saved at the end without waiting, and what could not be is an error', async () => {
    moveTo(1);
    await checkpoint.flush();
    expect([await saved(), clock.armed()]).toEqual([[1], 0]);
    await checkpoint.flush();
    expect(await saved()).toEqual([1]);
    moveTo(2);
    refuse(new StoreUnavailableError('away'));
    await expect(checkpoint.flush()).rejects.toThrow('away');
  });

  it('[WH4.1] is not saved any more once it has been cut', async () => {
    moveTo(1);
    checkpoint.cut();
    moveTo(2);
    await checkpoint.flush();
    await clock.advance(10_000);
    expect([await saved(), clock.armed()]).toEqual([[], 0]);
  });

  /** Saves stay in flight until they are let go on, well or not. */
  function holdSaves(): { begun: () => number; goOn: (error?: Error) => void } {
    const append = store.append.bind(store);
    const waiting: ((error?: Error) => void)[] = [];
    let begun = 0;
    store.append = async (...save) => {
      begun += 1;
      const error = await new Promise<Error | undefined>((resolve) => void waiting.push(resolve));
      if (error !== undefined) throw error;
      return append(...save);
    };
    return { begun: () => begun, goOn: (error) => waiting.shift()?.(error) };
  }

  it('[WH4.1] is saved at the end behind the save that is under way', async () => {
    const saves = holdSaves();
    moveTo(1);
    await clock.advance(250);
    moveTo(2);
    const flushing = checkpoint.flush();
    await clock.settle();
    expect(saves.begun()).toBe(1);
    saves.goOn();
    await clock.settle();
    saves.goOn();
    await flushing;
    expect(await saved()).toEqual([1, 2]);
  });

  it('[WH4.1] is not tried again if it is cut while a save fails', async () => {
    const saves = holdSaves();
    moveTo(1);
    await clock.advance(250);
    checkpoint.cut();
    saves.goOn(new StoreUnavailableError('away'));
    await clock.advance(60_000);
    expect([saves.begun(), await saved(), clock.armed()]).toEqual([1, [], 0]);
  });
});
