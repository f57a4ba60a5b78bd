import type { StartSteps } from './start-steps.ts';
import type { Storage } from './storage.ts';

/** The progress of the start, and the reasons why the gateway is not ready. */
export class Readiness {
  /** The views were up to date once. */
  hasViews = false;
  /** Every stored session is active. */
  isStarted = false;
  /** New requests are refused. */
  isClosing = false;
  readonly #steps: Pick<StartSteps, 'current'>;
  readonly #storage: Pick<Storage, 'storeFault' | 'views'>;

  constructor(storage: Pick<Storage, 'storeFault' | 'views'>, steps: Pick<StartSteps, 'current'>) {
    this.#storage = storage;
    this.#steps = steps;
  }

  /** One line for each reason; empty if it is ready. */
  reasonsAgainst(): string[] {
    const { storeFault, views } = this.#storage;
    const fault = storeFault();
    return [
      ...(this.isClosing ? ['service is shutting down'] : []),
      ...(this.isStarted ? [] : [this.#steps.current ?? 'the service is starting']),
      ...(fault === undefined ? [] : [fault]),
      ...(views.caughtUp ? [] : ['views do not follow the event store']),
    ];
  }
}
