import { expect, it, onTestFinished } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { OpenedStore, StoreUnderTest } from './event-store.ts';
import { collect, deferred, Follower, fill, idsOf, newEvent, newEvents, newName } from './given.ts';

export function closingRules(subject: StoreUnderTest): void {
  const openOwn = async (): Promise<OpenedStore> => {
    const opened = await subject.open();
    onTestFinished(() => opened.dispose());
    return opened;
  };

  it('[ES63] answers nothing once it is closed', async () => {
    const { store } = await openOwn();
    const stream = newName();
    await store.append(stream, 'any', [newEvent()]);
    await store.close();
    await expect(store.append(stream, 'any', [newEvent()])).rejects.toThrow(StoreUnavailableError);
    await expect(store.last(stream)).rejects.toThrow(StoreUnavailableError);
    await expect(store.truncate(stream, 1)).rejects.toThrow(StoreUnavailableError);
    await expect(store.erase(stream)).rejects.toThrow(StoreUnavailableError);
    await expect(collect(store.read(stream))).rejects.toThrow(StoreUnavailableError);
    await expect(collect(store.readAll())).rejects.toThrow(StoreUnavailableError);
    await expect(collect(store.lastOfEach(stream))).rejects.toThrow(StoreUnavailableError);
    expect(() => store.subscribeAll({ onEvent: () => {} })).toThrow(StoreUnavailableError);
  });

  it('[ES64] finishes what it has accepted before it closes', async () => {
    const { store } = await openOwn();
    const appends = newEvents(50).map((event) => store.append(newName(), 'no-stream', [event]));
    const closed = store.close();
    expect((await Promise.all(appends)).map(({ revision }) => revision)).toEqual(appends.map(() => 0));
    await closed;
  });

  it('[ES65] ends subscriptions when it closes, after the running handler', async () => {
    const { store } = await openOwn();
    const stream = newName();
    const gate = deferred();
    let ended = false;
    const follower = new Follower(store, { prefixes: [stream] }, async () => {
      await gate.promise;
      ended = true;
    });
    await store.append(stream, 'any', newEvents(3));
    await follower.has(1);
    const closed = store.close().then(() => ended);
    gate.resolve();
    expect(await closed).toBe(true);
    expect(follower.seen).toHaveLength(1);
    expect(follower.errors).toEqual([]);
    await store.close();
  });

  it('[ES66] has everything when it is opened again, and goes on from there', async () => {
    const { store, reopen } = await openOwn();
    const stream = newName();
    const events = newEvents(5);
    await fill(store, stream, events);
    const before = await collect(store.read(stream));
    await store.close();
    const again = await reopen();
    expect(await collect(again.read(stream))).toEqual(before);
    expect(await again.append(stream, 3, [events[4] ?? newEvent()])).toMatchObject({ revision: 4 });
    const { revision, position } = await again.append(stream, 4, [newEvent()]);
    expect(revision).toBe(5);
    expect(position > (before.at(-1)?.position ?? 0n)).toBe(true);
    expect(idsOf(await collect(again.read(stream))).slice(0, 5)).toEqual(idsOf(events));
    await again.close();
  });
}
