import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { Semaphore } from '../../../actors/kit/semaphore.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { TelegramError } from '../port/errors.ts';
import { maxWaitSeconds } from './retry-after.ts';

/** The requests that Telegram limits, by what it counts together for an account. */
const groups: Readonly<Record<string, string>> = {
  'upload.SaveFilePart': 'upload',
  'upload.SaveBigFilePart': 'upload',
  'upload.GetFile': 'download',
  'contacts.ResolveUsername': 'username',
  'contacts.ResolvePhone': 'phone',
  'channels.GetFullChannel': 'full channel',
  'messages.GetHistory': 'history',
};

/** Requests of a group in flight at a time after Telegram asked for a wait: more would only be refused. */
const maxInFlight = 2;
/** For how long after a wait a group has fewer requests in flight. */
const cautiousMs = 60_000;

interface Group {
  /** By the clock's `elapsed()`, as `cautiousUntil`. */
  notBefore: number;
  cautiousUntil: number;
  /** Of the last wait, without its number: `FLOOD_PREMIUM_WAIT`. */
  errorName: string;
  readonly places: Semaphore;
}

/** The rest of a wait that Telegram asked for earlier. Telegram was not asked again. */
export class RememberedWaitError extends TelegramError {}

/**
 * The waits of an account, one for each group of requests. A request of a group that has to wait is not sent before: to
 * ask too early is refused, and makes some waits longer.
 */
export class RateGate {
  readonly #clock: Clock;
  readonly #groups = new Map<string, Group>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sends a request as soon as its group may.
   * @param request `upload.SaveFilePart`
   * @param maxWaitMs a longer wait is an error at once
   * @throws {RememberedWaitError} the wait is a minute or longer, or longer than `maxWaitMs`
   * @throws the reason of a signal, or what `send` throws
   */
  async run<T>(
    request: string,
    maxWaitMs: number,
    send: () => Promise<T>,
    ...signals: readonly LightAbortSignal[]
  ): Promise<T> {
    const name = groups[request];
    if (name === undefined) return send();
    const group = this.#group(name);
    if (group.cautiousUntil <= this.#clock.elapsed()) return this.#observed(group, send);
    this.#waitMs(group, request, maxWaitMs);
    const sendInTurn = async (): Promise<T> => {
      for (let waitMs = this.#waitMs(group, request, maxWaitMs); waitMs > 0; ) {
        await sleep(this.#clock, waitMs, ...signals);
        waitMs = this.#waitMs(group, request, maxWaitMs);
      }
      return this.#observed(group, send);
    };
    return group.places.run(sendInTurn, ...signals);
  }

  /** @throws {RememberedWaitError} */
  #waitMs({ notBefore, errorName }: Group, request: string, maxWaitMs: number): number {
    const waitMs = notBefore - this.#clock.elapsed();
    const seconds = Math.ceil(waitMs / 1_000);
    if (waitMs > 0 && (seconds > maxWaitSeconds || waitMs > maxWaitMs)) {
      throw new RememberedWaitError(420, `${errorName}_${seconds}`, request);
    }
    return waitMs;
  }

  async #observed<T>(group: Group, send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (error instanceof TelegramError && error.waitSeconds !== undefined) {
        const until = this.#clock.elapsed() + error.waitSeconds * 1_000;
        group.notBefore = Math.max(group.notBefore, until);
        group.cautiousUntil = group.notBefore + cautiousMs;
        group.errorName = error.errorName.replace(/_\d+$/, '');
      }
      throw error;
    }
  }

  #group(name: string): Group {
    const group = this.#groups.get(name) ?? {
      notBefore: 0,
      cautiousUntil: 0,
      errorName: 'FLOOD_WAIT',
      places: new Semaphore(maxInFlight),
    };
    this.#groups.set(name, group);
    return group;
  }
}
