import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nextTurn } from '../../../../actors/kit/next-turn.ts';
import type {
  EventStore,
  RecordedEvent,
  SubscribeOptions,
  Subscription,
} from '../../../../actors/ports/event-store.ts';
import { sessionIdOf } from '../../../../actors/session/events.ts';
import { createProjectionRunner, type ProjectionRunner } from '../../../../projections/projection-runner.ts';
import { followSessionLog, type TakeSessionEvent } from '../../../../src/webhook/record/session-log.ts';
import { createDrivenClock, type DrivenClock } from '../../../support/kit/clock.ts';
import { sessionEvent } from '../../../support/projections/session-events.ts';
import { createMemoryStore } from '../../../support/store/memory-store.ts';
import { createMemoryViewDatabase } from '../../../support/store/memory-view-database.ts';

let clock: DrivenClock;
let store: EventStore;
let views: ProjectionRunner;
let log: Subscription | undefined;
/** Reads of the whole log that run, beside that of the views. */
let reads: number;
let taken: { position: bigint; isDecoded: boolean }[];
let errors: unknown[];
let recorded: number;

beforeEach(async () => {
  clock = createDrivenClock();
  store = createMemoryStore(clock);
  views = createProjectionRunner({
    store,
    database: createMemoryViewDatabase(),
    clock,
    onError: () => {},
    reportUnreadable: () => {},
  });
  reads = 0;
  taken = [];
  errors = [];
  recorded = 0;
});

afterEach(async () => {
  await log?.stop();
  log = undefined;
  await views.stop();
  await store.close();
});

const record = async (count: number): Promise<bigint> => {
  let position = 0n;
  for (let index = 0; index < count; index++) {
    const event = sessionEvent(`event-${(recorded += 1)}`, { type: 'SessionDeleted' }, { to: 'deleted' });
    ({ position } = await store.append(`session-s${index % 3}`, 'any', [event]));
  }
  return position;
};

function countingReads(): Pick<EventStore, 'subscribeAll'> {
  return {
    subscribeAll(options: SubscribeOptions) {
      reads += 1;
      const subscription = store.subscribeAll(options);
      let isStopped = false;
      return {
        stop: () => {
          if (!isStopped) reads -= 1;
          isStopped = true;
          return subscription.stop();
        },
      };
    },
  };
}

/** The store and the views of this test need no more. */
async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

const take: TakeSessionEvent = ({ position }, event) => {
  taken.push({ position, isDecoded: event !== undefined });
  return undefined;
};

const follow = (after: bigint, onEvent: TakeSessionEvent = take): void => {
  log = followSessionLog({ store: countingReads(), views, after, onEvent, onError: (error) => errors.push(error) });
};

async function allRecorded(): Promise<bigint[]> {
  const positions: bigint[] = [];
  for await (const { position } of store.readAll({ prefixes: ['session-'] })) positions.push(position);
  return positions;
}

const positions = (): bigint[] => taken.map(({ position }) => position);

describe('the log of all sessions', () => {
  it('[EV1.9] is read from a place on, and then comes with the views', async () => {
    const first = await record(10);
    await record(10);
    await views.start();
    follow(first);
    await settleTurns();
    expect(positions()).toEqual((await allRecorded()).slice(10));
    expect(taken.some(({ isDecoded }) => isDecoded)).toBe(false);
    expect(reads).toBe(0);

    await views.waitFor(await record(10));
    expect(positions()).toEqual((await allRecorded()).slice(10));
    expect(taken.slice(-10).every(({ isDecoded }) => isDecoded)).toBe(true);
  });

  it('[EV1.9] has each event once, whoever is ahead when the read ends', async () => {
    await record(400);
    const viewed = views.start();
    follow(0n);
    for (let round = 0; round < 50; round++) await record(7);
    await viewed;
    await views.waitFor(await record(1));
    await settleTurns();
    expect(positions()).toEqual(await allRecorded());
    expect(reads).toBe(0);
  });

  it('[EV1.9] comes with the views although they stay ahead of the read', async () => {
    await record(20);
    await views.start();
    // The read hands over one event in each turn of the event loop; two are recorded meanwhile.
    const slow: Pick<EventStore, 'subscribeAll'> = {
      subscribeAll: ({ onEvent, ...options }) =>
        countingReads().subscribeAll({
          ...options,
          onEvent: async (event) => {
            await nextTurn();
            await onEvent(event);
          },
        }),
    };
    log = followSessionLog({ store: slow, views, after: 0n, onEvent: take, onError: (error) => errors.push(error) });
    for (let round = 0; round < 200; round++) {
      await record(2);
      await nextTurn();
    }
    expect(reads).toBe(0);
    await views.waitFor(await record(1));
    expect(positions()).toEqual(await allRecorded());
    expect(errors).toEqual([]);
  });

  it('[EV1.9] is read again if more waits than is kept, and nothing is passed over', async () => {
    await views.start();
    let open: (() => void) | undefined;
    follow(0n, (...shown) => {
      void take(...shown);
      return new Promise((resolve) => {
        open = resolve;
      });
    });
    await settleTurns();
    expect(reads).toBe(0);
    await views.waitFor(await record(700));
    await settleTurns();
    expect(taken).toHaveLength(1);
    expect(reads).toBe(1);
    const all = await allRecorded();
    while (taken.length < all.length) {
      open?.();
      await settleTurns();
    }
    open?.();
    await settleTurns();
    expect(positions()).toEqual(all);
    expect(reads).toBe(0);
  });

  it('ends for good when its handler throws, and says why', async () => {
    await views.start();
    follow(0n, ({ stream }: RecordedEvent) => {
      if (sessionIdOf(stream) === 's1') throw new Error('broken');
      return take({ position: 0n } as RecordedEvent, undefined);
    });
    await settleTurns();
    await views.waitFor(await record(6));
    await settleTurns();
    expect(taken).toHaveLength(1);
    expect(errors).toEqual([new Error('broken')]);
    expect(views.caughtUp).toBe(true);
  });

  it('hands over nothing once it is stopped, and stops when the handler has ended', async () => {
    await views.start();
    let open: (() => void) | undefined;
    follow(0n, (...shown) => {
      void take(...shown);
      return new Promise((resolve) => {
        open = resolve;
      });
    });
    await settleTurns();
    await views.waitFor(await record(3));
    let hasStopped = false;
    const stopping = log?.stop().then(() => {
      hasStopped = true;
    });
    await settleTurns();
    expect(hasStopped).toBe(false);
    open?.();
    await stopping;
    expect(taken).toHaveLength(1);
  });
});
