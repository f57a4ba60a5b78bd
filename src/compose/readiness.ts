import type { Storage } from './storage.ts';

/** How far the start has come, and what keeps the service from being ready. */
export class Readiness {
  /** The views have been brought up to date once. */
  hasViews = false;
  /** Every stored session is active. */
  isStarted = false;
  /** No new request is taken. */
  isClosing = false;
  readonly #storage: Pick<Storage, 'store' | 'views'>;

  constructor(storage: Pick<Storage, 'store' | 'views'>) {
    this.#storage = storage;
  }

  /** A line each; none where it is ready. */
  reasonsAgainst(): string[] {
    const { store, views } = this.#storage;
    return [
      ...(this.isClosing ? ['service is shutting down'] : []),
      ...(this.isStarted ? [] : ['sessions are being restored']),
      ...(store.outage === undefined ? [] : ['event store does not answer']),
      ...(views.caughtUp ? [] : ['views do not follow the event store']),
    ];
  }
}
