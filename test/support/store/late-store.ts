import type { EventStore } from '../../../actors/ports/event-store.ts';

/** A store whose subscribers may be held up, and its writers. */
export interface LateStore extends EventStore {
  /** Appends do not reach the store until {@link releaseAppends}. */
  holdAppends(): void;
  releaseAppends(): void;
  /** Nothing is told to subscribers until {@link release}. */
  hold(): void;
  release(): void;
}

export function createLateStore(store: EventStore): LateStore {
  let held = Promise.resolve();
  let release = (): void => {};
  let heldAppends = Promise.resolve();
  let releaseAppends = (): void => {};
  return {
    async append(...call) {
      await heldAppends;
      return await store.append(...call);
    },
    last: (...call) => store.last(...call),
    lastOfEach: (...call) => store.lastOfEach(...call),
    read: (...call) => store.read(...call),
    readAll: (...call) => store.readAll(...call),
    truncate: (...call) => store.truncate(...call),
    erase: (...call) => store.erase(...call),
    close: () => store.close(),
    subscribeAll: (options) =>
      store.subscribeAll({
        ...options,
        onEvent: async (event) => {
          await held;
          await options.onEvent(event);
        },
      }),
    hold() {
      held = new Promise((resolve) => {
        release = resolve;
      });
    },
    release: () => release(),
    holdAppends() {
      heldAppends = new Promise((resolve) => {
        releaseAppends = resolve;
      });
    },
    releaseAppends() {
      heldAppends = Promise.resolve();
      releaseAppends();
    },
  };
}
