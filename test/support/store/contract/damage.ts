import { expect, it } from 'vitest';
import { type RecordedEvent, WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, Follower, newEvent, newName } from './given.ts';

const by = '{"by":"test"}';
const contentOf = ({ data, metadata, damage }: RecordedEvent) => ({ data, metadata, damage });
const broken = { data: null, metadata: null, damage: 'broken-json' };

/** What a store holds need not be what this program has written. */
export function damageRules(subject: StoreUnderTest): void {
  it.each([
    { what: 'data are cut off', data: '{"phone":"+49 3', metadata: by },
    { what: 'data are empty', data: '', metadata: by },
    { what: 'data are a bare word', data: 'hello', metadata: by },
    { what: 'metadata are cut off', data: '{}', metadata: '{"by":' },
    { what: 'neither is JSON', data: '<a/>', metadata: '<b/>' },
  ])('[ES69] says of an event whose $what that it is damaged, and shows it in its place', async (texts) => {
    const { store } = subject;
    const stream = newName();
    await store.append(stream, 'no-stream', [newEvent({ number: 0 })]);
    await subject.plant(stream, { type: 'Odd', ...texts });
    const expected = { type: 'Odd', stream, revision: 1 };
    const last = await store.last(stream);
    expect(last).toMatchObject(expected);
    const [, read] = await collect(store.read(stream));
    const [lastOfAll] = await collect(store.lastOfEach(stream));
    await store.append(stream, 1, [newEvent({ number: 2 })]);
    const [before, inAll, after] = await collect(store.readAll({ prefixes: [stream] }));
    const follower = new Follower(store, { prefixes: [stream] });
    await follower.caughtUp;
    await follower.stop();
    expect(follower.seen).toEqual([before, inAll, after]);
    for (const event of [last, read, lastOfAll, inAll]) expect(event && contentOf(event)).toEqual(broken);
    expect([before, after].map((event) => event?.data)).toEqual([{ number: 0 }, { number: 2 }]);
    expect(before).not.toHaveProperty('damage');
  });

  it.each([
    { what: 'a text', data: '"hello"', expected: 'hello' },
    { what: 'a text that is half of an object', data: '"{\\"a\\":"', expected: '{"a":' },
    { what: 'a number', data: '7', expected: 7 },
    { what: 'nothing', data: 'null', expected: null },
  ])('[ES70] gives $what that is no object as it is', async ({ data, expected }) => {
    const stream = newName();
    await subject.plant(stream, { type: 'Odd', data, metadata: by });
    const event = await subject.store.last(stream);
    expect(event && contentOf(event)).toEqual({ data: expected, metadata: { by: 'test' }, damage: undefined });
  });

  it('[ES71] gives null for metadata that there are none of', async () => {
    const stream = newName();
    await subject.plant(stream, { type: 'Odd', data: '{}', metadata: undefined });
    const event = await subject.store.last(stream);
    expect(event && contentOf(event)).toEqual({ data: {}, metadata: null, damage: undefined });
  });

  it('[ES72] refuses the writer of a stream that a damaged event was added to', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', [newEvent()]);
    await subject.plant(stream, { type: 'Odd', data: '{', metadata: by });
    const refused: unknown = await subject.store.append(stream, 0, [newEvent()]).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(WrongExpectedRevisionError);
    expect(refused).toMatchObject({ stream, actual: 1 });
  });

  it('[ES73] removes a damaged event like any other', async () => {
    const stream = newName();
    await subject.plant(stream, { type: 'Odd', data: '{', metadata: by });
    await subject.plant(stream, { type: 'Odd', data: '{', metadata: by });
    await subject.store.truncate(stream, 1);
    expect((await collect(subject.store.read(stream))).map(({ revision }) => revision)).toEqual([1]);
    await subject.store.erase(stream);
    expect(await subject.store.last(stream)).toBeUndefined();
  });
}
