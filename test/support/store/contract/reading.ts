import { expect, it } from 'vitest';
import type { NewEvent } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, idsOf, newEvent, newEvents, newName } from './given.ts';

export function readingRules(subject: StoreUnderTest): void {
  it('[ES27] gives the last event of a stream, and none of an unknown one', async () => {
    const stream = newName();
    expect(await subject.store.last(stream)).toBeUndefined();
    const events = newEvents(3);
    await subject.store.append(stream, 'no-stream', events);
    expect(await subject.store.last(stream)).toMatchObject({ ...events[2], stream, revision: 2 });
  });

  it.each([
    { options: {}, expected: [0, 1, 2, 3, 4] },
    { options: { from: 2 }, expected: [2, 3, 4] },
    { options: { limit: 2 }, expected: [0, 1] },
    { options: { from: 1, limit: 3 }, expected: [1, 2, 3] },
    { options: { from: 5 }, expected: [] },
    { options: { limit: 0 }, expected: [] },
    { options: { direction: 'backwards' as const }, expected: [4, 3, 2, 1, 0] },
    { options: { direction: 'backwards' as const, from: 2 }, expected: [2, 1, 0] },
    { options: { direction: 'backwards' as const, limit: 2 }, expected: [4, 3] },
    { options: { direction: 'backwards' as const, from: 3, limit: 2 }, expected: [3, 2] },
    { options: { direction: 'backwards' as const, from: 99, limit: 1 }, expected: [4] },
  ])('[ES28] reads a stream with $options', async ({ options, expected }) => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(5));
    const read = await collect(subject.store.read(stream, options));
    expect(read.map(({ revision }) => revision)).toEqual(expected);
  });

  it('[ES29] reads nothing of an unknown stream, in both directions', async () => {
    expect(await collect(subject.store.read(newName()))).toEqual([]);
    expect(await collect(subject.store.read(newName(), { direction: 'backwards' }))).toEqual([]);
  });

  it('[ES30] reads a long stream whole, in order, in both directions', async () => {
    const stream = newName();
    const events = newEvents(1700);
    await subject.store.append(stream, 'no-stream', events);
    expect(idsOf(await collect(subject.store.read(stream)))).toEqual(idsOf(events));
    const backwards = await collect(subject.store.read(stream, { direction: 'backwards', from: 1600, limit: 1200 }));
    expect(idsOf(backwards)).toEqual(idsOf(events.slice(401, 1601)).toReversed());
  });

  it('[ES31] gives the last event of each stream that begins with a prefix, once', async () => {
    const prefix = newName();
    const streams = Array.from({ length: 1200 }, (_, index) => `${prefix}-${index}`);
    await Promise.all(
      streams.map((stream, index) => subject.store.append(stream, 'no-stream', newEvents(1 + (index % 3)))),
    );
    await subject.store.append(`other-${prefix}`, 'no-stream', newEvents(1));
    const lasts = await collect(subject.store.lastOfEach(`${prefix}-`));
    expect(new Map(lasts.map(({ stream, revision }) => [stream, revision]))).toEqual(
      new Map(streams.map((stream, index) => [stream, index % 3])),
    );
    expect(lasts).toHaveLength(streams.length);
  });

  it('[ES32] takes a prefix literally', async () => {
    const name = newName();
    const streams = [`${name}_a`, `${name}%a`, `${name}.a`, `${name}A`, `${name}*a`];
    await Promise.all(streams.map((stream) => subject.store.append(stream, 'any', [newEvent()])));
    const found = async (prefix: string): Promise<string[]> =>
      (await collect(subject.store.lastOfEach(prefix))).map(({ stream }) => stream);
    expect(await found(`${name}_`)).toEqual([`${name}_a`]);
    expect(await found(`${name}%`)).toEqual([`${name}%a`]);
    expect(await found(`${name}.`)).toEqual([`${name}.a`]);
    expect(await found(`${name}A`)).toEqual([`${name}A`]);
    expect(await found(`${name}a`)).toEqual([]);
    const all = await collect(subject.store.readAll({ prefixes: [`${name}*`, `${name}_`] }));
    expect(new Set(all.map(({ stream }) => stream))).toEqual(new Set([`${name}*a`, `${name}_a`]));
  });

  it('[ES33] reads everything in one order that grows', async () => {
    const prefix = newName();
    const events = newEvents(60);
    for (const [index, event] of events.entries()) {
      await subject.store.append(`${prefix}-${index % 7}`, 'any', [event]);
    }
    const all = await collect(subject.store.readAll({ prefixes: [prefix] }));
    expect(idsOf(all)).toEqual(idsOf(events));
    for (const [index, { position }] of all.entries()) {
      if (index > 0) expect(position > (all[index - 1]?.position ?? 0n)).toBe(true);
    }
  });

  it('[ES34] keeps each stream in order within the order of all, also for appends of one moment', async () => {
    const prefix = newName();
    const events = newEvents(300);
    await Promise.all(events.map((event, index) => subject.store.append(`${prefix}-${index % 10}`, 'any', [event])));
    const all = await collect(subject.store.readAll({ prefixes: [prefix] }));
    for (let stream = 0; stream < 10; stream += 1) {
      const ofStream = (event: NewEvent, index: number): boolean => index % 10 === stream && event.id !== '';
      expect(idsOf(all.filter((event) => event.stream === `${prefix}-${stream}`))).toEqual(
        idsOf(events.filter((event, index) => ofStream(event, index))),
      );
    }
  });

  it('[ES35] reads from a position on (exclusive), by several prefixes, up to a limit', async () => {
    const [one, two, three] = [newName(), newName(), newName()];
    const appended: { stream: string; position: bigint }[] = [];
    for (const stream of [one, two, three, two, one, three, two]) {
      appended.push({ stream, position: (await subject.store.append(stream, 'any', [newEvent()])).position });
    }
    const wanted = appended.filter(({ stream }) => stream !== three).map(({ position }) => position);
    const read = async (after: bigint | undefined, limit?: number): Promise<bigint[]> =>
      (await collect(subject.store.readAll({ after, limit, prefixes: [one, two] }))).map(({ position }) => position);
    expect(await read(undefined)).toEqual(wanted);
    expect(await read(wanted[1])).toEqual(wanted.slice(2));
    expect(await read(appended[2]?.position)).toEqual(wanted.slice(2));
    expect(await read(wanted[0], 3)).toEqual(wanted.slice(1, 4));
    expect(await read(wanted.at(-1))).toEqual([]);
    expect(await read(undefined, 0)).toEqual([]);
  });

  it('[ES36] can be read piece by piece without a gap and without a double', async () => {
    const prefix = newName();
    const events = newEvents(700);
    await subject.store.append(`${prefix}-1`, 'any', events.slice(0, 350));
    await subject.store.append(`${prefix}-2`, 'any', events.slice(350));
    const pieces: string[] = [];
    for (let after: bigint | undefined, size = 1; size > 0; ) {
      const piece = await collect(subject.store.readAll({ after, limit: 64, prefixes: [prefix] }));
      pieces.push(...idsOf(piece));
      after = piece.at(-1)?.position;
      size = piece.length;
    }
    expect(pieces).toEqual(idsOf(events));
  });

  it('[ES37] reads everything where no prefix is given', async () => {
    const [one, two] = [newName(), newName()];
    const { position } = await subject.store.append(one, 'any', [newEvent()]);
    const events = newEvents(2);
    await subject.store.append(two, 'any', events);
    const all = await collect(subject.store.readAll({ after: position }));
    expect(idsOf(all.filter(({ stream }) => stream === two))).toEqual(idsOf(events));
    expect(all.some(({ stream }) => stream === one)).toBe(false);
  });

  it('[ES38] stays usable when a reader goes away in the middle', async () => {
    const prefix = newName();
    await subject.store.append(prefix, 'any', newEvents(600));
    for await (const event of subject.store.read(prefix)) if (event.revision === 3) break;
    for await (const event of subject.store.readAll({ prefixes: [prefix] })) if (event.revision === 3) break;
    for await (const event of subject.store.lastOfEach(prefix)) if (event.revision > 0) break;
    expect((await subject.store.append(prefix, 599, [newEvent()])).revision).toBe(600);
  });
}
