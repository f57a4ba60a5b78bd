import { type LightAbortSignal, onFirstAbort, throwIfAborted } from './light-abort.ts';

/** Limits of a {@link FairGate}. */
export interface FairGateOptions {
  /** Names what waits, in the plural, for the error: `pictures`. */
  what: string;
  /** Work that runs at the same time, of all sessions together. */
  places: number;
  /** Of these, for one session. Default: all. */
  placesPerSession?: number;
  /** Work of one session that may wait (NB1.2). */
  maxWaitingPerSession: number;
  /** Work of all sessions that may wait (NB1.3). Default: no limit but that of each session. */
  maxWaiting?: number;
}

/** Who waits at a {@link FairGate}. */
export interface FairTurn {
  sessionId: string;
  /**
   * Who of the session it is for. Those take turns too, and one leaves a place of the session to the others. Default: no
   * one in particular.
   */
  of?: string | undefined;
  /** Work with the same batch, such as the pictures of an album, counts once among what waits. Default: counts alone. */
  batch?: object | undefined;
}

/** Too much work waits already (NB1). */
export class GateFullError extends Error {
  override name = 'GateFullError';
  readonly retryable = true;
  /** True if it is the share of the session, false if it is that of all sessions. */
  readonly isOwnShare: boolean;

  constructor(what: string, isOwnShare: boolean) {
    super(`too many ${what}${isOwnShare ? ' of this session' : ''} are waiting`);
    this.isOwnShare = isOwnShare;
  }
}

interface Waiter {
  of: string | undefined;
  batch: object;
  admit: () => void;
}

/** A session with work that runs or waits. */
interface Share {
  running: number;
  /** Of these, by {@link FairTurn.of}. */
  readonly runningOf: Map<string | undefined, number>;
  readonly waiting: Set<Waiter>;
}

/**
 * Limits how much work runs at the same time, like a semaphore, and shares the places among sessions: the sessions with
 * waiting work take turns, one piece of work a turn, however much each has waiting (NB1.1). Within a session: first come,
 * first served, but for {@link FairTurn.of}. What waits is bounded for each session and in all.
 */
export class FairGate {
  readonly #options: Required<FairGateOptions>;
  readonly #shares = new Map<string, Share>();
  /** Sessions with waiting work, the one whose turn is next first. */
  readonly #turns = new Set<Share>();
  #running = 0;

  constructor(options: FairGateOptions) {
    this.#options = { placesPerSession: options.places, maxWaiting: Infinity, ...options };
  }

  /**
   * Runs the work in a place of its own, which is free again when the work has ended, well or not.
   * @param signals end the wait for a place; work that has begun is not touched
   * @throws {GateFullError} @throws the reason of a signal, or what the work throws
   */
  async run<T>(turn: FairTurn, work: () => Promise<T>, ...signals: readonly LightAbortSignal[]): Promise<T> {
    const leave = await this.enter(turn, ...signals);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a place and takes it, for work that is not one function.
   * @param signals end the wait
   * @returns gives the place back; calling it again does nothing
   * @throws {GateFullError} @throws the reason of a signal
   */
  async enter({ sessionId, of, batch = {} }: FairTurn, ...signals: readonly LightAbortSignal[]): Promise<() => void> {
    throwIfAborted(signals);
    const share = this.#shares.get(sessionId) ?? { running: 0, runningOf: new Map(), waiting: new Set() };
    // Of what waits, nothing may begin.
    const mayBegin = this.#hasPlaceFor(share, of);
    if (!mayBegin) this.#mustHaveRoom(share, batch);
    this.#shares.set(sessionId, share);
    if (mayBegin) this.#take(share, of);
    else await this.#wait(sessionId, share, { of, batch }, signals);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#running -= 1;
      share.running -= 1;
      countOf(share, of, -1);
      this.#admit();
      this.#forget(sessionId, share);
    };
  }

  #hasPlaceFor({ running, runningOf }: Share, of: string | undefined): boolean {
    const { places, placesPerSession } = this.#options;
    if (this.#running >= places || running >= placesPerSession) return false;
    return of === undefined || (runningOf.get(of) ?? 0) < Math.max(1, placesPerSession - 1);
  }

  #take(share: Share, of: string | undefined): void {
    this.#running += 1;
    share.running += 1;
    countOf(share, of, 1);
  }

  /** Work of a batch that waits already adds nothing. */
  #mustHaveRoom(asking: Share, batch: object): void {
    const { what, maxWaitingPerSession, maxWaiting } = this.#options;
    const own = batchesOf(asking);
    if (own.has(batch)) return;
    if (own.size >= maxWaitingPerSession) throw new GateFullError(what, true);
    let all = 0;
    for (const share of this.#turns) all += batchesOf(share).size;
    if (all >= maxWaiting) throw new GateFullError(what, false);
  }

  #wait(
    sessionId: string,
    share: Share,
    { of, batch }: Pick<Waiter, 'of' | 'batch'>,
    signals: readonly LightAbortSignal[],
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        of,
        batch,
        admit: () => {
          stopListening();
          resolve();
        },
      };
      const stopListening = onFirstAbort(signals, (reason) => {
        share.waiting.delete(waiter);
        if (share.waiting.size === 0) this.#turns.delete(share);
        this.#forget(sessionId, share);
        reject(reason);
      });
      share.waiting.add(waiter);
      this.#turns.add(share);
    });
  }

  /** Hands each free place to the session whose turn it is: a newcomer cannot take it in between. */
  #admit(): void {
    for (const share of this.#turns) {
      if (this.#running >= this.#options.places) return;
      const next = this.#nextOf(share);
      if (next === undefined) continue;
      share.waiting.delete(next);
      putLast(share.waiting, next.of);
      // Behind all others. The loop comes to it again if there are still places.
      this.#turns.delete(share);
      if (share.waiting.size > 0) this.#turns.add(share);
      this.#take(share, next.of);
      next.admit();
    }
  }

  #nextOf(share: Share): Waiter | undefined {
    if (!this.#hasPlaceFor(share, undefined)) return undefined;
    for (const waiter of share.waiting) if (this.#hasPlaceFor(share, waiter.of)) return waiter;
    return undefined;
  }

  #forget(sessionId: string, share: Share): void {
    if (share.running === 0 && share.waiting.size === 0) this.#shares.delete(sessionId);
  }
}

function countOf({ runningOf }: Share, of: string | undefined, change: 1 | -1): void {
  const count = (runningOf.get(of) ?? 0) + change;
  if (count > 0) runningOf.set(of, count);
  else runningOf.delete(of);
}

/** It is the turn of the others of the session. */
function putLast(waiting: Set<Waiter>, of: string | undefined): void {
  if (of === undefined) return;
  for (const waiter of Array.from(waiting)) {
    if (waiter.of !== of) continue;
    waiting.delete(waiter);
    waiting.add(waiter);
  }
}

const batchesOf = ({ waiting }: Share): Set<object> => new Set(Array.from(waiting, ({ batch }) => batch));
