import { expect, it } from 'vitest';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../projections/projection-runner.ts';
import { LinkBook } from '../../../src/links/link-book.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';
import { created, sessionEvent } from '../../support/projections/session-events.ts';
import { allReadable } from '../../support/store/all-readable.ts';
import { createMemoryStore } from '../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../support/store/memory-view-database.ts';

const dayMs = 24 * 60 * 60_000;

it('[OS5.7] links are read in the pass of the views, each event once, and are there after a restart', async () => {
  const clock = createDrivenClock();
  const store = createMemoryStore(clock);
  const database = createMemoryViewDatabase();
  const reads: string[] = [];
  const watched: EventStore = {
    ...store,
    append: (...of) => store.append(...of),
    last: (stream) => store.last(stream),
    erase: (stream) => store.erase(stream),
    read: (...of) => store.read(...of),
    subscribeAll: (options) => {
      const { onEvent } = options;
      return store.subscribeAll({
        ...options,
        onEvent: (event) => {
          reads.push(event.type);
          return onEvent(event);
        },
      });
    },
  };
  const open = async (seed: number): Promise<{ book: LinkBook; views: ProjectionRunner }> => {
    const random = createSeededRandomness(seed, clock);
    const log = { warn: () => {} };
    const book = new LinkBook({ store: watched, clock, random, log, reportUnreadable: allReadable });
    const onError = (error: unknown): void => {
      throw error;
    };
    const views = createProjectionRunner({
      store: watched,
      database,
      clock,
      onError,
      reportUnreadable: allReadable,
      sides: [book],
    });
    await views.start();
    await book.start();
    return { book, views };
  };
  const settings = { key: 'k', text: 'sealed' };
  const first = await open(1);
  await store.append('session-s-1', 'no-stream', [sessionEvent('e-1', created, { to: 'qrPending' })]);
  const made = await first.book.issue(() => ({ expires: clock.now() + dayMs, settings }), 'owner');
  const other = await first.book.issue(() => ({ expires: clock.now() + dayMs, settings }), 'owner');
  await first.book.record(made.link.id, 'link', () => ({
    type: 'LinkOpened',
    data: { sessionId: 's-1', isNew: true },
  }));
  await clock.settle();
  expect(first.book.get(made.link.id)).toMatchObject({ sessionsMade: 1, revision: 1 });
  first.book.stop();
  await first.views.stop();

  reads.length = 0;
  const second = await open(2);
  expect(reads).toEqual([]);
  expect(second.book.list()).toEqual(first.book.list());
  expect(second.book.find(other.token)?.id).toBe(other.link.id);
  await second.book.record(other.link.id, 'owner', () => ({ type: 'LinkWithdrawn', data: {} }));
  expect(second.book.find(other.token)).toBeUndefined();

  // A week after its end nothing of it is left.
  await clock.advance(9 * dayMs);
  await store.append('session-s-2', 'no-stream', [sessionEvent('e-2', created, { to: 'qrPending' })]);
  await clock.settle();
  second.book.stop();
  await second.views.stop();
  expect([...database.side('links').rows()]).toEqual([]);
});
