import { expect, it } from 'vitest';
import type { StoreUnderTest } from './event-store.ts';
import { collect, deferred, Follower, fill, idsOf, newEvent, newEvents, newName } from './given.ts';

export function subscribingRules(subject: StoreUnderTest): void {
  it('[ES39] hands over what is recorded and then what comes, in order', async () => {
    const prefix = newName();
    const events = newEvents(20);
    await fill(subject.store, prefix, events.slice(0, 10));
    const follower = new Follower(subject.store, { prefixes: [prefix] });
    await follower.caughtUp;
    await fill(subject.store, prefix, events.slice(10));
    await follower.has(20);
    expect(follower.seen).toEqual(await collect(subject.store.read(prefix)));
    await follower.stop();
  });

  it('[ES40] has no gap and no double while appends are under way', async () => {
    const prefix = newName();
    // Of each stream one append at a time: one that waits for a hundred others may be given up.
    const streams = Array.from({ length: 9 }, (_, number) => `${prefix}-${number}`);
    const appends = Promise.all(streams.map((stream) => fill(subject.store, stream, newEvents(100))));
    await fill(subject.store, `${prefix}-first`, newEvents(1));
    const follower = new Follower(subject.store, { prefixes: [prefix] });
    await fill(subject.store, `${prefix}-later`, newEvents(299));
    await appends;
    const recorded = await collect(subject.store.readAll({ prefixes: [prefix] }));
    // A server that forgets may have recorded an append twice that it answered late.
    expect(new Set(idsOf(recorded)).size).toBe(1200);
    await follower.has(recorded.length);
    expect(follower.seen).toEqual(recorded);
    await follower.stop();
  });

  it('[ES41] hands over only what begins with one of the prefixes', async () => {
    const [one, two, other] = [newName(), newName(), newName()];
    await fill(subject.store, one, newEvents(2));
    const follower = new Follower(subject.store, { prefixes: [one, two] });
    await follower.caughtUp;
    await fill(subject.store, other, newEvents(3));
    await fill(subject.store, two, newEvents(2));
    await follower.has(4);
    expect(follower.seen.map(({ stream }) => stream)).toEqual([one, one, two, two]);
    await follower.stop();
  });

  it('[ES75] hands over only events of the types that are named, of what begins with the prefixes', async () => {
    const [stream, other] = [newName(), newName()];
    const named = (types: readonly string[]): ReturnType<typeof newEvent>[] => types.map((type) => newEvent({}, type));
    await fill(subject.store, stream, named(['Kept', 'Dropped', 'KeptNot']));
    const follower = new Follower(subject.store, { prefixes: [stream], types: ['Kept', 'KeptToo'] });
    await follower.caughtUp;
    await fill(subject.store, other, named(['Kept']));
    await fill(subject.store, stream, named(['Dropped', 'KeptToo', 'Dropped', 'Kept']));
    await follower.has(3);
    expect(follower.seen).toMatchObject([
      { stream, type: 'Kept', revision: 0 },
      { stream, type: 'KeptToo', revision: 4 },
      { stream, type: 'Kept', revision: 6 },
    ]);
    await follower.stop();
  });

  it('[ES74] takes no empty list of prefixes or types, which might mean all or none', async () => {
    await expect(collect(subject.store.readAll({ prefixes: [] }))).rejects.toThrow(RangeError);
    expect(() => subject.store.subscribeAll({ prefixes: [], onEvent: () => {} })).toThrow(RangeError);
    expect(() => subject.store.subscribeAll({ prefixes: ['a'], types: [], onEvent: () => {} })).toThrow(RangeError);
    expect(() => subject.store.subscribeAll({ types: ['A'], onEvent: () => {} })).toThrow(RangeError);
  });

  it('[ES42] begins after a position', async () => {
    const stream = newName();
    const events = newEvents(5);
    await fill(subject.store, stream, events);
    const [, second] = await collect(subject.store.read(stream));
    const follower = new Follower(subject.store, { after: second?.position, prefixes: [stream] });
    await follower.has(3);
    expect(idsOf(follower.seen)).toEqual(idsOf(events.slice(2)));
    await follower.stop();
  });

  it('[ES43] says once that it has caught up, also where there is nothing', async () => {
    const [stream, empty] = [newName(), newName()];
    await fill(subject.store, stream, newEvents(7));
    const follower = new Follower(subject.store, { prefixes: [stream] });
    const waiting = new Follower(subject.store, { prefixes: [empty] });
    await Promise.all([follower.caughtUp, waiting.caughtUp]);
    await fill(subject.store, stream, newEvents(2));
    await fill(subject.store, empty, newEvents(1));
    await Promise.all([follower.has(9), waiting.has(1)]);
    expect(follower.caughtUpAt).toEqual([7]);
    expect(waiting.caughtUpAt).toEqual([0]);
    await Promise.all([follower.stop(), waiting.stop()]);
  });

  it('[ES44] waits for the handler before it hands over the next', async () => {
    const stream = newName();
    const log: string[] = [];
    const follower = new Follower(subject.store, { prefixes: [stream] }, async ({ revision }) => {
      log.push(`begin ${revision}`);
      await subject.store.last(stream);
      log.push(`end ${revision}`);
    });
    await fill(subject.store, stream, newEvents(3));
    await subject.store.append(stream, 'any', newEvents(3));
    await follower.has(6);
    await follower.stop();
    expect(log).toEqual([0, 1, 2, 3, 4, 5].flatMap((revision) => [`begin ${revision}`, `end ${revision}`]));
  });

  it.each([
    ['throws', false],
    ['rejects', true],
  ])('[ES45] ends with the error of a handler that %s, and alone', async (_, asynchronous) => {
    const stream = newName();
    const cause = new Error('handler failed');
    const handle = (): Promise<void> => {
      if (asynchronous) return Promise.reject(cause);
      throw cause;
    };
    const healthy = new Follower(subject.store, { prefixes: [stream] });
    const past = new Follower(subject.store, { prefixes: [newName()] }, handle);
    await fill(subject.store, stream, newEvents(1));
    const failing = new Follower(subject.store, { prefixes: [stream] }, handle);
    expect(await failing.failed).toBe(cause);
    const failingLive = new Follower(subject.store, { prefixes: [stream] }, ({ revision }) =>
      revision === 1 ? handle() : undefined,
    );
    await failingLive.has(1);
    await fill(subject.store, stream, newEvents(3));
    await healthy.has(4);
    expect(await failingLive.failed).toBe(cause);
    expect(failing.seen).toHaveLength(1);
    expect(failingLive.seen).toHaveLength(2);
    expect([failing.errors, failingLive.errors, healthy.errors, past.errors]).toEqual([[cause], [cause], [], []]);
    await Promise.all([healthy.stop(), past.stop(), failing.stop(), failingLive.stop()]);
  });

  it('[ES46] hands over nothing after it was stopped, and stops when the running handler has ended', async () => {
    const stream = newName();
    const gate = deferred();
    let ended = false;
    const follower = new Follower(subject.store, { prefixes: [stream] }, async () => {
      await gate.promise;
      ended = true;
    });
    await subject.store.append(stream, 'any', newEvents(5));
    await follower.has(1);
    const stopped = follower.stop().then(() => ended);
    gate.resolve();
    expect(await stopped).toBe(true);
    const witness = new Follower(subject.store, { prefixes: [stream] });
    await subject.store.append(stream, 'any', newEvents(1));
    await witness.has(6);
    expect(follower.seen).toHaveLength(1);
    await witness.stop();
  });

  it('[ES47] can be stopped twice, and before anything was handed over', async () => {
    const stream = newName();
    await subject.store.append(stream, 'any', newEvents(3));
    const follower = new Follower(subject.store, { prefixes: [stream] });
    await Promise.all([follower.stop(), follower.stop()]);
    expect(follower.seen).toEqual([]);
  });

  it('[ES48] does not let a slow subscriber hold up appends or others, and loses nothing for it', async () => {
    const stream = newName();
    const gate = deferred();
    const slow = new Follower(subject.store, { prefixes: [stream] }, () => gate.promise);
    const quick = new Follower(subject.store, { prefixes: [stream] });
    await Promise.all([slow.caughtUp, quick.caughtUp]);
    const events = newEvents(3000);
    for (let at = 0; at < events.length; at += 100) {
      await subject.store.append(stream, 'any', events.slice(at, at + 100));
    }
    await quick.has(3000);
    expect(slow.seen).toHaveLength(1);
    gate.resolve();
    await slow.has(3000);
    expect(idsOf(slow.seen)).toEqual(idsOf(events));
    await Promise.all([slow.stop(), quick.stop()]);
  });

  it('[ES49] hands over only what a reader finds', async () => {
    const stream = newName();
    const found: unknown[] = [];
    const follower = new Follower(subject.store, { prefixes: [stream] }, async (event) => {
      found.push((await collect(subject.store.read(stream, { from: event.revision, limit: 1 })))[0]);
    });
    await Promise.all(newEvents(20).map((event) => subject.store.append(stream, 'any', [event])));
    await follower.has(20);
    await follower.stop();
    expect(found).toEqual(follower.seen);
  });

  it('[ES50] shows all subscribers the same order', async () => {
    const prefix = newName();
    const early = new Follower(subject.store, { prefixes: [prefix] });
    await Promise.all(
      newEvents(200).map((event, index) => subject.store.append(`${prefix}-${index % 8}`, 'any', [event])),
    );
    const late = new Follower(subject.store, { prefixes: [prefix] });
    await Promise.all([early.has(200), late.has(200)]);
    expect(late.seen).toEqual(early.seen);
    await Promise.all([early.stop(), late.stop()]);
  });

  it('[ES51] lets a handler append', async () => {
    const [question, answer] = [newName(), newName()];
    const follower = new Follower(subject.store, { prefixes: [question, answer] }, async ({ stream }) => {
      if (stream === question) await subject.store.append(answer, 'any', [newEvent()]);
    });
    await fill(subject.store, question, newEvents(3));
    await follower.has(6);
    expect((await subject.store.last(answer))?.revision).toBe(2);
    await follower.stop();
  });

  it('[ES52] never hands over what was refused', async () => {
    const stream = newName();
    const follower = new Follower(subject.store, { prefixes: [stream] });
    const events = newEvents(10);
    await Promise.allSettled(
      events.map((event, index) => subject.store.append(stream, index % 2 === 0 ? 'any' : 99, [event])),
    );
    await subject.store.append(stream, 4, [newEvent()]);
    await follower.has(6);
    expect(idsOf(follower.seen).slice(0, 5)).toEqual(idsOf(events.filter((_, index) => index % 2 === 0)));
    await follower.stop();
  });

  it('[ES53] hands a repeated append over once', async () => {
    const stream = newName();
    const follower = new Follower(subject.store, { prefixes: [stream] });
    await follower.caughtUp;
    const event = newEvent();
    await subject.store.append(stream, 'no-stream', [event]);
    await subject.store.append(stream, 'no-stream', [event]);
    const end = newEvent();
    await subject.store.append(stream, 0, [end]);
    await follower.has(2);
    expect(idsOf(follower.seen)).toEqual([event.id, end.id]);
    await follower.stop();
  });
}
