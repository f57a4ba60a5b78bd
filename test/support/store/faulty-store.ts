import {
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  StoreUnavailableError,
  type SubscribeOptions,
  type Subscription,
} from '../../../actors/ports/event-store.ts';

/**
 * What goes wrong with one append:
 * - `fails-before`: nothing is recorded, the caller is told that the outcome is unknown;
 * - `fails-after`: it is recorded, and the caller is told the same;
 * - `conflict`: somebody else appends to the stream first (the rival event);
 * - `slow-before`: recorded and answered only when released;
 * - `slow-after`: recorded at once, answered when released;
 * - `commits-late`: the caller is told that the outcome is unknown, and it reaches the store when released.
 */
export type Fault =
  | { kind: 'fails-before' | 'fails-after' | 'slow-before' | 'slow-after' | 'commits-late' }
  | { kind: 'conflict'; rival: NewEvent };
type FaultKind = Fault['kind'];

export interface FaultyStore extends EventStore {
  /** How often each fault has occurred. */
  readonly occurred: Readonly<Record<FaultKind, number>>;
  /** Appends that wait to be released. */
  readonly held: number;
  /** Lets the oldest held append go on, or all of them. */
  release(which?: 'oldest' | 'all'): void;
  /**
   * The process dies: no call that is under way is ever answered, no subscriber hears more, later calls are not
   * answered either. What was recorded stays in the store below.
   */
  crash(): void;
}

/** A layer of faults over any store. `decide` is asked before each append; undefined lets it through. */
export function createFaultyStore(
  inner: EventStore,
  decide: (stream: string, events: readonly NewEvent[]) => Fault | undefined,
): FaultyStore {
  const occurred: Record<FaultKind, number> = {
    'fails-before': 0,
    'fails-after': 0,
    conflict: 0,
    'slow-before': 0,
    'slow-after': 0,
    'commits-late': 0,
  };
  const held: (() => void)[] = [];
  const subscriptions = new Set<Subscription>();
  let crashed = false;

  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      held.push(resolve);
    });

  /** After a crash a promise stays open for ever: there is nobody left to tell, and nobody who retries. */
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (crashed) return await new Promise<never>(() => {});
    try {
      const result = await work();
      return crashed ? await new Promise<never>(() => {}) : result;
    } catch (error) {
      if (crashed) return await new Promise<never>(() => {});
      throw error;
    }
  };

  const mustLive = (): void => {
    if (crashed) throw new StoreUnavailableError('the process has crashed');
  };

  const appendWith = async (
    fault: Fault,
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Promise<Appended> => {
    switch (fault.kind) {
      case 'fails-before':
        throw new StoreUnavailableError('the store did not answer');
      case 'fails-after':
        await inner.append(stream, expected, events);
        throw new StoreUnavailableError('the store did not answer');
      case 'conflict':
        await inner.append(stream, 'any', [fault.rival]);
        return inner.append(stream, expected, events);
      case 'slow-before':
        await hold();
        return inner.append(stream, expected, events);
      case 'commits-late':
        // Another append may have taken its place by then: nobody is left to be told.
        void hold()
          .then(() => inner.append(stream, expected, events))
          .catch(() => {});
        throw new StoreUnavailableError('the store did not answer');
      case 'slow-after':
        break;
    }
    const appended = await inner.append(stream, expected, events);
    await hold();
    return appended;
  };

  return {
    occurred,
    get held() {
      return held.length;
    },
    release(which = 'all') {
      for (const resume of held.splice(0, which === 'oldest' ? 1 : held.length)) resume();
    },
    crash() {
      crashed = true;
      for (const subscription of subscriptions) void subscription.stop();
      subscriptions.clear();
      held.length = 0;
    },
    append: (stream, expected, events) =>
      whileAlive(() => {
        const fault = decide(stream, events);
        if (fault === undefined) return inner.append(stream, expected, events);
        occurred[fault.kind] += 1;
        return appendWith(fault, stream, expected, events);
      }),
    last: (stream) => whileAlive(() => inner.last(stream)),
    lastOfEach(prefix) {
      mustLive();
      return inner.lastOfEach(prefix);
    },
    read(stream, options) {
      mustLive();
      return inner.read(stream, options);
    },
    readAll(options) {
      mustLive();
      return inner.readAll(options);
    },
    subscribeAll(options: SubscribeOptions) {
      mustLive();
      const subscription = inner.subscribeAll(options);
      subscriptions.add(subscription);
      return subscription;
    },
    truncate: (stream, before) => whileAlive(() => inner.truncate(stream, before)),
    erase: (stream) => whileAlive(() => inner.erase(stream)),
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
    },
  };
}
