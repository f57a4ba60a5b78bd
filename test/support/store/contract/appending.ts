import { expect, it } from 'vitest';
import { type Json, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, idsOf, newEvent, newEvents, newName } from './given.ts';

export function appendingRules(subject: StoreUnderTest): void {
  it('[ES1] numbers a stream from 0 and answers with revision and position', async () => {
    const stream = newName();
    const first = await subject.store.append(stream, 'no-stream', [newEvent()]);
    const second = await subject.store.append(stream, 0, [newEvent()]);
    expect([first.revision, second.revision]).toEqual([0, 1]);
    expect(second.position > first.position && first.position >= 0n).toBe(true);
  });

  it('[ES2] numbers the events of one append one after the other and answers for the last', async () => {
    const stream = newName();
    const events = newEvents(4);
    const appended = await subject.store.append(stream, 'no-stream', events);
    const read = await collect(subject.store.read(stream));
    expect(appended).toEqual({ revision: 3, position: read[3]?.position });
    expect(read.map(({ revision }) => revision)).toEqual([0, 1, 2, 3]);
    expect(idsOf(read)).toEqual(idsOf(events));
  });

  it('[ES3] gives back what was appended', async () => {
    const stream = newName();
    const data: Json = {
      text: 'Grüße, 世界 🎈 "quoted" \\ \u0000 \n',
      numbers: [0, -1, 1.5, Number.MAX_SAFE_INTEGER],
      nested: { yes: true, no: false, nothing: null, list: [[], {}, ''] },
    };
    const event = { ...newEvent(data, 'Änderung'), metadata: ['any', { json: 1 }] };
    const { revision, position } = await subject.store.append(stream, 'no-stream', [event]);
    const [read] = await collect(subject.store.read(stream));
    expect(read).toEqual({ ...event, stream, revision, position, created: read?.created });
  });

  it('[ES4] records when, in milliseconds, and never backwards within a stream', async () => {
    const stream = newName();
    await subject.store.append(stream, 'any', [newEvent()]);
    await subject.store.append(stream, 'any', [newEvent()]);
    const [first, second] = (await collect(subject.store.read(stream))).map(({ created }) => created);
    expect(Number.isInteger(first)).toBe(true);
    expect(first).toBeGreaterThan(Date.UTC(2020, 0, 1));
    expect(second).toBeGreaterThanOrEqual(first ?? 0);
  });

  it('[ES5] refuses "no-stream" where there is one', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(2));
    await expect(subject.store.append(stream, 'no-stream', [newEvent()])).rejects.toThrow(WrongExpectedRevisionError);
    expect(await collect(subject.store.read(stream))).toHaveLength(2);
  });

  it.each([
    ['behind', 0],
    ['ahead', 7],
  ])('[ES6] refuses a revision that is %s, and says where the stream is', async (_, expected) => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', newEvents(3));
    const refused: unknown = await subject.store
      .append(stream, expected, [newEvent()])
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WrongExpectedRevisionError);
    expect(refused).toMatchObject({ stream, expected, actual: 2 });
    expect((await subject.store.last(stream))?.revision).toBe(2);
  });

  it('[ES7] refuses any revision of a stream that is not there', async () => {
    const stream = newName();
    const refused: unknown = await subject.store.append(stream, 0, [newEvent()]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WrongExpectedRevisionError);
    expect(refused).toMatchObject({ actual: -1 });
    expect(await subject.store.last(stream)).toBeUndefined();
  });

  it('[ES8] appends whatever there is where "any" is expected', async () => {
    const stream = newName();
    expect((await subject.store.append(stream, 'any', [newEvent()])).revision).toBe(0);
    expect((await subject.store.append(stream, 'any', newEvents(2))).revision).toBe(2);
  });

  it('[ES9] appends all events or none', async () => {
    const stream = newName();
    const [kept, ...rest] = newEvents(6);
    await subject.store.append(stream, 'no-stream', [kept ?? newEvent()]);
    await expect(subject.store.append(stream, 3, rest)).rejects.toThrow(WrongExpectedRevisionError);
    expect(idsOf(await collect(subject.store.read(stream)))).toEqual([kept?.id]);
  });

  it('[ES10] lets one of many win who expect the same revision', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', [newEvent()]);
    const contenders = newEvents(50);
    const answers = await Promise.allSettled(contenders.map((event) => subject.store.append(stream, 0, [event])));
    const winners = contenders.filter((_, index) => answers[index]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect((await subject.store.last(stream))?.id).toBe(winners[0]?.id);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(WrongExpectedRevisionError);
    }
  });

  it('[ES11] does not let a refused append touch its neighbours', async () => {
    const streams = Array.from({ length: 20 }, newName);
    const answers = await Promise.allSettled(
      streams.map((stream, index) => subject.store.append(stream, index % 2 === 0 ? 'no-stream' : 5, newEvents(2))),
    );
    expect(answers.map(({ status }) => status === 'fulfilled')).toEqual(streams.map((_, index) => index % 2 === 0));
    const lasts = await Promise.all(streams.map((stream) => subject.store.last(stream)));
    expect(lasts.map((last) => last?.revision)).toEqual(streams.map((_, index) => (index % 2 === 0 ? 1 : undefined)));
  });

  it('[ES12] keeps the order of the calls within a stream', async () => {
    const stream = newName();
    const events = newEvents(100);
    await Promise.all(events.map((event) => subject.store.append(stream, 'any', [event])));
    expect(idsOf(await collect(subject.store.read(stream)))).toEqual(idsOf(events));
  });

  it('[ES13] refuses an append of nothing', async () => {
    await expect(subject.store.append(newName(), 'any', [])).rejects.toThrow(RangeError);
  });

  it('[ES14] keeps a copy: what the caller does to the event afterwards changes nothing', async () => {
    const stream = newName();
    const data = { list: ['as appended'] };
    const appending = subject.store.append(stream, 'any', [newEvent(data)]);
    data.list.push('later');
    await appending;
    expect((await subject.store.last(stream))?.data).toEqual({ list: ['as appended'] });
  });

  it('[ES15] refuses what JSON cannot carry, and only that append', async () => {
    const stream = newName();
    const circular: { self?: Json } = {};
    circular.self = circular;
    const [refused, accepted] = await Promise.allSettled([
      subject.store.append(stream, 'any', [newEvent(circular)]),
      subject.store.append(stream, 'any', [newEvent()]),
    ]);
    expect(refused.status).toBe('rejected');
    expect(accepted.status).toBe('fulfilled');
    expect(await collect(subject.store.read(stream))).toHaveLength(1);
  });

  it('[ES16] takes large events and many in one append', async () => {
    const stream = newName();
    const text = 'x'.repeat(200_000);
    await subject.store.append(stream, 'no-stream', [newEvent({ text })]);
    await subject.store.append(stream, 0, newEvents(1500));
    expect((await collect(subject.store.read(stream, { limit: 1 })))[0]?.data).toEqual({ text });
    expect((await subject.store.last(stream))?.revision).toBe(1500);
  });
}
