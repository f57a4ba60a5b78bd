import { describe, expect, it } from 'vitest';
import { StoreUnavailableError, WrongExpectedRevisionError } from '../../../actors/ports/event-store.ts';
import { createDrivenClock } from '../../support/kit/clock.ts';
import { newEvent } from '../../support/store/contract/given.ts';
import { createFaultyStore, type Fault } from '../../support/store/faulty-store.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';

const clock = createDrivenClock();

function given(fault: Fault) {
  const inner = createMemoryStore(clock);
  const faults: (Fault | undefined)[] = [fault];
  return { inner, store: createFaultyStore(inner, () => faults.shift()) };
}

describe('the fault layer', () => {
  it('fails before anything is recorded', async () => {
    const { inner, store } = given({ kind: 'fails-before' });
    const event = newEvent();
    await expect(store.append('s', 'no-stream', [event])).rejects.toThrow(StoreUnavailableError);
    expect(await inner.last('s')).toBeUndefined();
    expect(await store.append('s', 'no-stream', [event])).toMatchObject({ revision: 0 });
  });

  it('fails after it was recorded, so that a retry finds it', async () => {
    const { inner, store } = given({ kind: 'fails-after' });
    const event = newEvent();
    await expect(store.append('s', 'no-stream', [event])).rejects.toThrow(StoreUnavailableError);
    expect((await inner.last('s'))?.id).toBe(event.id);
    expect(await store.append('s', 'no-stream', [event])).toMatchObject({ revision: 0 });
    expect(store.occurred['fails-after']).toBe(1);
  });

  it('lets a rival come first', async () => {
    const rival = newEvent();
    const { inner, store } = given({ kind: 'conflict', rival });
    await expect(store.append('s', 'no-stream', [newEvent()])).rejects.toThrow(WrongExpectedRevisionError);
    expect((await inner.last('s'))?.id).toBe(rival.id);
  });

  it.each(['slow-before', 'slow-after'] as const)('holds an append until it is released (%s)', async (kind) => {
    const { inner, store } = given({ kind });
    let answered = false;
    const appending = store.append('s', 'no-stream', [newEvent()]).then(() => {
      answered = true;
    });
    await clock.settle();
    expect([answered, store.held]).toEqual([false, 1]);
    expect((await inner.last('s')) !== undefined).toBe(kind === 'slow-after');
    store.release();
    await appending;
    expect(await inner.last('s')).toBeDefined();
  });

  it('commits an append late, after the caller was told that nobody knows', async () => {
    const { inner, store } = given({ kind: 'commits-late' });
    const event = newEvent();
    await expect(store.append('s', 'no-stream', [event])).rejects.toThrow(StoreUnavailableError);
    expect([store.held, await inner.last('s')]).toEqual([1, undefined]);
    store.release();
    await clock.settle();
    expect((await inner.last('s'))?.id).toBe(event.id);
  });

  it('answers nobody after a crash, and hands over nothing', async () => {
    const { inner, store } = given({ kind: 'slow-after' });
    const answers: string[] = [];
    const seen: string[] = [];
    const follow = (): void => {
      store.subscribeAll({ onEvent: ({ id }) => void seen.push(id) });
    };
    follow();
    const note = (): number => answers.push('answered');
    void store.append('s', 'no-stream', [newEvent()]).then(note, note);
    await clock.settle();
    expect(seen).toHaveLength(1);
    store.crash();
    store.release();
    void store.append('s', 'any', [newEvent()]).then(note, note);
    void store.last('s').then(note, note);
    await inner.append('s', 'any', [newEvent()]);
    await clock.settle();
    expect(answers).toEqual([]);
    expect(seen).toHaveLength(1);
    expect(follow).toThrow(StoreUnavailableError);
  });
});
