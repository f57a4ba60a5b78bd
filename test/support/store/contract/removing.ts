import { expect, it } from 'vitest';
import { WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, Follower, idsOf, newEvent, newEvents, newName } from './given.ts';

export function removingRules(subject: StoreUnderTest): void {
  it('[ES54] truncates a stream before a revision; the numbering goes on', async () => {
    const stream = newName();
    const events = newEvents(6);
    await subject.store.append(stream, 'no-stream', events);
    await subject.store.truncate(stream, 4);
    expect((await collect(subject.store.read(stream))).map(({ revision }) => revision)).toEqual([4, 5]);
    const backwards = await collect(subject.store.read(stream, { direction: 'backwards' }));
    expect(backwards.map(({ revision }) => revision)).toEqual([5, 4]);
    expect((await subject.store.last(stream))?.id).toBe(events[5]?.id);
    expect((await subject.store.append(stream, 5, [newEvent()])).revision).toBe(6);
  });

  it('[ES55] goes on numbering where nothing is left, and knows where it was', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(3));
    await subject.store.truncate(stream, 3);
    expect(await subject.store.last(stream)).toBeUndefined();
    expect(await collect(subject.store.lastOfEach(stream))).toEqual([]);
    await expect(subject.store.append(stream, 0, [newEvent()])).rejects.toThrow(WrongExpectedRevisionError);
    expect((await subject.store.append(stream, 2, [newEvent()])).revision).toBe(3);
    expect(await collect(subject.store.read(stream))).toHaveLength(1);
  });

  it('[ES55] hides nothing that comes later if it is truncated beyond its end', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(2));
    await subject.store.truncate(stream, 99);
    expect((await subject.store.append(stream, 1, [newEvent()])).revision).toBe(2);
    expect((await collect(subject.store.read(stream))).map(({ revision }) => revision)).toEqual([2]);
  });

  it('[ES56] truncates nothing of an unknown stream, nothing before its first event, nothing twice', async () => {
    const stream = newName();
    await subject.store.truncate(stream, 5);
    await subject.store.append(stream, 'no-stream', newEvents(3));
    await subject.store.truncate(stream, 0);
    expect(await collect(subject.store.read(stream))).toHaveLength(3);
    await subject.store.truncate(stream, 2);
    await subject.store.truncate(stream, 1);
    expect((await collect(subject.store.read(stream))).map(({ revision }) => revision)).toEqual([2]);
  });

  it('[ES57] keeps one event of a stream by appending and truncating', async () => {
    const stream = newName();
    for (const event of newEvents(5)) {
      const { revision } = await subject.store.append(stream, 'any', [event]);
      await subject.store.truncate(stream, revision);
    }
    expect((await collect(subject.store.read(stream))).map(({ revision }) => revision)).toEqual([4]);
  });

  it('[ES58] erases a stream: no reader finds any of it', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(3));
    await subject.store.erase(stream);
    expect(await subject.store.last(stream)).toBeUndefined();
    expect(await collect(subject.store.read(stream))).toEqual([]);
    expect(await collect(subject.store.read(stream, { direction: 'backwards' }))).toEqual([]);
    expect(await collect(subject.store.lastOfEach(stream))).toEqual([]);
  });

  it('[ES59] erases an unknown stream, and one twice, without an error', async () => {
    const stream = newName();
    await subject.store.erase(stream);
    await subject.store.append(stream, 'no-stream', [newEvent()]);
    await subject.store.erase(stream);
    await subject.store.erase(stream);
    expect(await subject.store.last(stream)).toBeUndefined();
  });

  it('[ES60] leaves other streams alone', async () => {
    const stream = newName();
    const neighbours = [`${stream}-1`, `${stream}0`, stream.slice(0, -1)];
    await Promise.all([stream, ...neighbours].map((name) => subject.store.append(name, 'any', newEvents(2))));
    await subject.store.truncate(stream, 1);
    await subject.store.erase(stream);
    const left = await Promise.all(neighbours.map((name) => collect(subject.store.read(name))));
    expect(left.map(({ length }) => length)).toEqual([2, 2, 2]);
  });

  it('[ES61] begins an erased stream again where "no-stream" is expected', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(2));
    await subject.store.erase(stream);
    const event = newEvent();
    const { revision } = await subject.store.append(stream, 'no-stream', [event]);
    expect(idsOf(await collect(subject.store.read(stream)))).toEqual([event.id]);
    expect((await subject.store.append(stream, revision, [newEvent()])).revision).toBe(revision + 1);
  });

  if (subject.limits.removesFromAllLater === true) return;

  it('[ES62] shows nothing removed in the order of all, and never uses a position again', async () => {
    const prefix = newName();
    await subject.store.append(`${prefix}-1`, 'any', newEvents(3));
    const { position } = await subject.store.append(`${prefix}-2`, 'any', newEvents(3));
    await subject.store.truncate(`${prefix}-1`, 2);
    await subject.store.erase(`${prefix}-2`);
    const all = await collect(subject.store.readAll({ prefixes: [prefix] }));
    expect(all.map(({ stream, revision }) => [stream, revision])).toEqual([[`${prefix}-1`, 2]]);
    const next = await subject.store.append(`${prefix}-3`, 'any', [newEvent()]);
    expect(next.position > position).toBe(true);
    const follower = new Follower(subject.store, { prefixes: [prefix] });
    await follower.caughtUp;
    expect(follower.seen.map(({ stream }) => stream)).toEqual([`${prefix}-1`, `${prefix}-3`]);
    await follower.stop();
  });
}
