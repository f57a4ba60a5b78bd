import { expect, it } from 'vitest';
import { WrongExpectedRevisionError } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, fill, idsOf, newEvent, newEvents, newName } from './given.ts';

export function repeatingRules(subject: StoreUnderTest): void {
  it('[ES17] answers a repeated append as before and records it once', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', [newEvent()]);
    const event = newEvent();
    const first = await subject.store.append(stream, 0, [event]);
    expect(await subject.store.append(stream, 0, [event])).toEqual(first);
    expect(await collect(subject.store.read(stream))).toHaveLength(2);
  });

  it('[ES18] does so after others have appended behind it', async () => {
    const stream = newName();
    const event = newEvent();
    const first = await subject.store.append(stream, 'no-stream', [event]);
    await fill(subject.store, stream, newEvents(5));
    expect(await subject.store.append(stream, 'no-stream', [event])).toEqual(first);
    expect((await subject.store.last(stream))?.revision).toBe(5);
  });

  it('[ES19] accepts a repeated append if "any" is expected: as before, or recorded once more', async () => {
    const stream = newName();
    const event = newEvent();
    await subject.store.append(stream, 'any', [newEvent()]);
    const first = await subject.store.append(stream, 'any', [event]);
    await subject.store.append(stream, 'any', [newEvent()]);
    const again = await subject.store.append(stream, 'any', [event]);
    const read = await collect(subject.store.read(stream));
    expect(read).toHaveLength(again.revision === first.revision ? 3 : 4);
    if (subject.limits.forgetsRepeats !== true) expect(again).toEqual(first);
    const { id, revision, position } = read[again.revision] ?? {};
    expect({ id, revision, position }).toEqual({ id: event.id, ...again });
  });

  it('[ES20] does so for an append of several events', async () => {
    const stream = newName();
    const events = newEvents(3);
    const first = await subject.store.append(stream, 'no-stream', events);
    await subject.store.append(stream, 2, [newEvent()]);
    expect(await subject.store.append(stream, 'no-stream', events)).toEqual(first);
    expect(await collect(subject.store.read(stream))).toHaveLength(4);
  });

  it('[ES21] does so when both are under way at the same time', async () => {
    const stream = newName();
    const events = newEvents(2);
    const [first, second] = await Promise.all([
      subject.store.append(stream, 'no-stream', events),
      subject.store.append(stream, 'no-stream', events),
    ]);
    expect(second).toEqual(first);
    expect(await collect(subject.store.read(stream))).toHaveLength(2);
  });

  it('[ES22] refuses an append that only begins like an earlier one', async () => {
    const stream = newName();
    const [first, second, other] = newEvents(3);
    if (first === undefined || second === undefined || other === undefined) throw new Error('three were asked for');
    await subject.store.append(stream, 'no-stream', [first, second]);
    await expect(subject.store.append(stream, 'no-stream', [first, other])).rejects.toThrow(WrongExpectedRevisionError);
    await expect(subject.store.append(stream, 'no-stream', [first, second, other])).rejects.toThrow(
      WrongExpectedRevisionError,
    );
    expect(idsOf(await collect(subject.store.read(stream)))).toEqual([first.id, second.id]);
  });

  it('[ES23] refuses another event at a place that is taken', async () => {
    const stream = newName();
    await subject.store.append(stream, 'no-stream', [newEvent()]);
    await subject.store.append(stream, 0, [newEvent()]);
    await expect(subject.store.append(stream, 0, [newEvent()])).rejects.toThrow(WrongExpectedRevisionError);
  });

  // What such a store may do otherwise is not a rule for it.
  if (subject.limits.acceptsReusedIds === true) return;

  it('[ES24] refuses an event ID that stands elsewhere in the stream', async () => {
    const stream = newName();
    const event = newEvent();
    await subject.store.append(stream, 'no-stream', [event, newEvent()]);
    await expect(subject.store.append(stream, 1, [event])).rejects.toThrow(WrongExpectedRevisionError);
    expect(await collect(subject.store.read(stream))).toHaveLength(2);
  });

  it.each(['any', 'no-stream', 0] as const)(
    '[ES25] refuses an event ID that stands in another stream (expected: %s), and only that append',
    async (expected) => {
      const [taken, stream, neighbour] = [newName(), newName(), newName()];
      const event = newEvent();
      await subject.store.append(taken, 'any', [event]);
      if (expected === 0) await subject.store.append(stream, 'any', [newEvent()]);
      const before = await collect(subject.store.read(stream));
      const [refused, accepted] = await Promise.allSettled([
        subject.store.append(stream, expected, [newEvent(), event]),
        subject.store.append(neighbour, 'no-stream', [newEvent()]),
      ]);
      expect(refused).toMatchObject({ status: 'rejected', reason: { name: 'WrongExpectedRevisionError' } });
      expect(accepted.status).toBe('fulfilled');
      expect(await collect(subject.store.read(stream))).toEqual(before);
    },
  );

  it('[ES26] refuses an append that has the same ID twice', async () => {
    const stream = newName();
    const event = newEvent();
    await expect(subject.store.append(stream, 'any', [event, event])).rejects.toThrow(WrongExpectedRevisionError);
    expect(await subject.store.last(stream)).toBeUndefined();
  });
}
