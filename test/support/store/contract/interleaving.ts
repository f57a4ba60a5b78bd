import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EventStore, ExpectedRevision, NewEvent } from '../../../../actors/ports/event-store.ts';
import type { StoreUnderTest } from './event-store.ts';
import { collect, Follower, idsOf, newEvent, newName } from './given.ts';

/** What a stream should look like: plain arithmetic, written without a look at any store. */
interface Model {
  /** IDs by revision. */
  ids: string[];
  /** Revisions before this one have been removed. */
  begins: number;
}

type Step =
  | { do: 'append'; stream: number; count: number; expected: 'any' | 'no-stream' | number }
  | { do: 'repeat'; stream: number; back: number }
  | { do: 'truncate'; stream: number; keep: number }
  | { do: 'read'; stream: number; backwards: boolean; from: number; limit: number };

const streams = 3;
const stream = fc.nat(streams - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: appendStep() },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('repeat' as const), stream, back: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('truncate' as const), stream, keep: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('read' as const),
      stream,
      backwards: fc.boolean(),
      from: fc.nat(12),
      limit: fc.nat(6),
    }),
  },
);

/** Numbers are offsets from the right revision: mostly right, sometimes not. */
function appendStep(): fc.Arbitrary<Extract<Step, { do: 'append' }>> {
  return fc.record({
    do: fc.constant('append' as const),
    stream,
    count: fc.integer({ min: 1, max: 4 }),
    expected: fc.oneof(
      fc.constant('any' as const),
      fc.constant('no-stream' as const),
      fc.constantFrom(0, 0, 0, 0, -1, 1, -2),
    ),
  });
}

export function interleavingRules(subject: StoreUnderTest): void {
  it('[ES67] behaves like a list under any sequence of appends, repeats, truncations and reads', async () => {
    const done = { accepted: 0, refused: 0, repeated: 0, read: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const prefix = newName();
        const models: Model[] = Array.from({ length: streams }, () => ({ ids: [], begins: 0 }));
        for (const each of steps) {
          const model = models[each.stream] ?? { ids: [], begins: 0 };
          await take(each, subject.store, `${prefix}-${each.stream}`, model, done);
        }
        for (const [index, model] of models.entries()) {
          expect(idsOf(await collect(subject.store.read(`${prefix}-${index}`)))).toEqual(model.ids.slice(model.begins));
        }
      }),
      { numRuns: 60, seed: 67 },
    );
    for (const count of Object.values(done)) expect(count).toBeGreaterThan(20);
  });

  it('[ES68] gives writers at the same time one order, the same for readers and subscribers', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }), { maxLength: 12 }),
        async (turns) => {
          const prefix = newName();
          const follower = new Follower(subject.store, { prefixes: [prefix] });
          const acknowledged: string[] = [];
          for (const writers of turns) {
            const events = writers.map(() => newEvent());
            await Promise.all(
              writers.map((writer, index) =>
                subject.store.append(`${prefix}-${writer}`, 'any', events.slice(index, index + 1)),
              ),
            );
            acknowledged.push(...idsOf(events));
          }
          await follower.has(acknowledged.length);
          await follower.stop();
          const all = await collect(subject.store.readAll({ prefixes: [prefix] }));
          expect(follower.seen).toEqual(all);
          expect(new Set(idsOf(all))).toEqual(new Set(acknowledged));
          expect(all).toHaveLength(acknowledged.length);
        },
      ),
      { numRuns: 30, seed: 68 },
    );
  });
}

async function take(
  each: Step,
  store: EventStore,
  name: string,
  model: Model,
  done: Record<'accepted' | 'refused' | 'repeated' | 'read', number>,
): Promise<void> {
  const last = model.ids.length - 1;
  switch (each.do) {
    case 'append': {
      const expected = typeof each.expected === 'number' ? last + each.expected : each.expected;
      if (typeof expected === 'number' && expected < 0) return;
      const events: NewEvent[] = Array.from({ length: each.count }, () => newEvent());
      const right = expected === 'any' || (expected === 'no-stream' ? last === -1 : expected === last);
      const outcome = await appended(store, name, expected, events);
      expect(outcome).toBe(right ? last + each.count : `refused at ${last}`);
      if (right) model.ids.push(...idsOf(events));
      done[right ? 'accepted' : 'refused'] += 1;
      return;
    }
    case 'repeat': {
      const first = model.ids.length - each.back;
      if (first < model.begins || first < 0) return;
      const events = model.ids.slice(first).map((id) => ({ ...newEvent(), id }));
      expect(await appended(store, name, first === 0 ? 'no-stream' : first - 1, events)).toBe(last);
      done.repeated += 1;
      return;
    }
    case 'truncate':
      model.begins = Math.max(model.begins, model.ids.length - 1 - each.keep);
      await store.truncate(name, model.begins);
      return;
    case 'read': {
      const { backwards, from, limit } = each;
      const read = await collect(store.read(name, { direction: backwards ? 'backwards' : 'forwards', from, limit }));
      const revisions = model.ids.map((_, index) => index).filter((index) => index >= model.begins);
      const wanted = backwards
        ? revisions.filter((index) => index <= from).toReversed()
        : revisions.filter((index) => index >= from);
      expect(read.map(({ revision, id }) => [revision, id])).toEqual(
        wanted.slice(0, limit).map((index) => [index, model.ids[index]]),
      );
      done.read += 1;
    }
  }
}

/** The revision, or where the stream was found instead. */
async function appended(
  store: EventStore,
  name: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<number | string> {
  try {
    return (await store.append(name, expected, events)).revision;
  } catch (error) {
    return error instanceof Error && 'actual' in error ? `refused at ${String(error.actual)}` : String(error);
  }
}
