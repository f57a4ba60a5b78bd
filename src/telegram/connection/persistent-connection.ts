import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { lostLoginReason } from '../login/login-lost.ts';
import type { Reconnecting } from '../port/account.ts';
import { NotConnectedError } from '../port/errors.ts';
import { proxyFailureOf } from '../proxy/proxy-error.ts';
import { overtaken, rerouted } from './end-reasons.ts';
import { type LivenessWatch, type Watched, watchLiveness } from './liveness.ts';
import { ReconnectPause } from './reconnect-pause.ts';
import { reconnect, reconnectAfterLong, wakeSpreadMs } from './reconnect-policy.ts';

/** One connection, from its opening to its end. */
export interface OpenConnection extends Watched {
  /** Resolves when the connection has ended; the reason is the error's message. */
  readonly ended: Promise<Error>;
  close(reason?: string): void;
}

export interface PersistentConnectionListener<W> {
  /** A connection is open. */
  up(connection: W): void;
  /**
   * Telegram was unreachable for 10 s, or does not answer. Called once, and again if the session's proxy turns out to be the
   * reason; the next call is `up` or `loginLost`.
   */
  down(reason: string): void;
  /** The login is lost. The persistent connection has ended. */
  loginLost(reason: string): void;
}

export interface PersistentConnectionDeps {
  clock: Clock;
  random: Randomness;
  /**
   * Calls `wake` once, when another session has reached the data centre that this one waits for. Default: never.
   * @returns a function that takes it back
   */
  onReached?: (wake: () => void) => () => void;
}

/**
 * Opens a connection that is ready for use.
 * @param isUrgent whether a request waits for it, at the moment of the call
 */
type Open<W> = (signal: LightAbortSignal, isUrgent: () => boolean) => Promise<W>;

/** Shorter outages are not reported (SE8). */
const graceMs = 10_000;
/** The backoff restarts after a connection that lasted this long. */
const steadyMs = 10_000;
/** After an outage of this length the waits between attempts grow longer (SE8). */
const longOutageMs = 10 * 60_000;
/** How long a request waits for the next connection. */
const reconnectTimeoutMs = 10_000;

/**
 * Keeps a session connected: opens one connection after the other with a backoff, detects dead ones, and reports outages
 * and lost logins. It knows nothing of the protocol on the connection.
 */
export class PersistentConnection<W extends OpenConnection> {
  readonly #deps: PersistentConnectionDeps;
  readonly #open: Open<W>;
  readonly #listener: PersistentConnectionListener<W>;
  readonly #stop = new LightAbort();
  #connection: W | undefined;
  #waiting = new Set<(connection: W) => void>();
  #pause: ReconnectPause | undefined;
  #watch: LivenessWatch | undefined;
  /** Of the attempts since the last connection; undefined before the first failure. */
  #failed: Pick<Reconnecting, 'attempts' | 'reason'> | undefined;

  /** @param open opens a connection that is ready for use; it may throw any error */
  constructor(deps: PersistentConnectionDeps, open: Open<W>, listener: PersistentConnectionListener<W>) {
    this.#deps = deps;
    this.#open = open;
    this.#listener = listener;
  }

  /** @param first a connection that is already open */
  start(first?: W): void {
    this.#run(first).catch(() => undefined);
  }

  /** Closes the connection and ends every timer. */
  stop(): void {
    this.#stop.abort(new NotConnectedError('the session is no longer connected'));
    this.#connection?.close();
  }

  /** Aborted when the persistent connection ends; its reason is a {@link NotConnectedError}. */
  get stopSignal(): LightAbortSignal {
    return this.#stop;
  }

  get stopped(): boolean {
    return this.#stop.aborted;
  }

  get current(): W | undefined {
    return this.#connection;
  }

  /** How it stands while no connection is open and an attempt has failed. */
  get reconnecting(): Reconnecting | undefined {
    if (this.#failed === undefined || this.#connection !== undefined || this.stopped) return undefined;
    return { ...this.#failed, nextAt: this.#pause?.endsAt };
  }

  /** The open connection, or the next one within 10 s, which is opened the sooner for it. @throws {NotConnectedError} @throws the signal's reason */
  async connection(signal: LightAbortSignal): Promise<W> {
    if (this.#connection !== undefined) return this.#connection;
    let arrived: (connection: W) => void = () => undefined;
    const next = new Promise<W>((resolve) => {
      arrived = resolve;
      this.#waiting.add(resolve);
    });
    this.#pause?.shortenTo(0);
    try {
      return await withTimeout(
        this.#deps.clock,
        reconnectTimeoutMs,
        () => new NotConnectedError('telegram is out of reach'),
        () => next,
        signal,
        this.#stop,
      );
    } finally {
      this.#waiting.delete(arrived);
    }
  }

  /** A request on this connection takes long: whether the connection is alive is asked at once. */
  probe(connection: W): void {
    if (connection === this.#connection) this.#watch?.probe();
  }

  /** Closes the open connection; the next one is opened. */
  cut(reason: string): void {
    this.#connection?.close(reason);
  }

  /** What the next attempt waits for is over. */
  retryNow(): void {
    this.#pause?.shortenTo(0);
  }

  /** A request was answered that the login is lost. */
  loginLost(reason: string): void {
    if (this.stopped) return;
    this.stop();
    this.#listener.loginLost(reason);
  }

  async #run(first: W | undefined): Promise<void> {
    const { clock, random } = this.#deps;
    const signal = this.#stop;
    const outage = new Outage(clock, (reason) => this.#listener.down(reason));
    signal.addEventListener('abort', () => outage.end());
    let failures = 0;
    let awaySince = 0;
    for (let next = first; !signal.aborted; next = undefined) {
      let reason: string;
      let isOvertaken = false;
      let isProxyFailure = false;
      try {
        const connection = next ?? (await this.#open(signal, () => this.#waiting.size > 0));
        if (signal.aborted) return connection.close();
        const since = clock.elapsed();
        outage.end();
        reason = await this.#serve(connection);
        if (clock.elapsed() - since >= steadyMs) failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const lost = lostLoginReason(error);
        if (lost !== undefined) return this.loginLost(lost);
        const { message } = error as Error;
        const failure = proxyFailureOf(error);
        isOvertaken = message === overtaken;
        isProxyFailure = failure !== undefined;
        reason = message === rerouted ? rerouted : (failure?.reason ?? 'unreachable');
      }
      if (signal.aborted) return;
      outage.begin(reason, isProxyFailure);
      if (reason === rerouted) {
        failures = 0;
        continue;
      }
      if (failures === 0) awaySince = clock.elapsed();
      if (!isOvertaken) failures += 1;
      this.#failed = { attempts: failures, reason };
      const policy = clock.elapsed() - awaySince < longOutageMs ? reconnect : reconnectAfterLong;
      await this.#rest(isOvertaken ? wakeSpreadMs * random.fraction() : policy.delayMs(failures, random));
    }
  }

  /** Waits before the next attempt, less long if a request waits for it, or another session was answered. */
  async #rest(delayMs: number): Promise<void> {
    const { clock, random, onReached } = this.#deps;
    const pause = new ReconnectPause(clock, delayMs, this.#stop);
    this.#pause = pause;
    const forget = onReached?.(() => pause.shortenTo(wakeSpreadMs * random.fraction()));
    if (this.#waiting.size > 0) pause.shortenTo(0);
    try {
      await pause.over;
    } finally {
      this.#pause = undefined;
      forget?.();
    }
  }

  /** @returns why the connection ended @throws {Error} the login is lost */
  async #serve(connection: W): Promise<string> {
    const watch = watchLiveness(this.#deps.clock, connection, () => connection.close('no-answer'));
    this.#watch = watch;
    this.#connection = connection;
    this.#listener.up(connection);
    for (const arrived of this.#waiting) arrived(connection);
    const ending = await connection.ended;
    watch.stop();
    this.#connection = undefined;
    if (lostLoginReason(ending) !== undefined) throw ending;
    return ending.message;
  }
}

/** Reports an outage once: after 10 s, or at once if a ping went unanswered before it; and what explains it later. */
class Outage {
  readonly #clock: Clock;
  readonly #report: (reason: string) => void;
  #timer: ReturnType<Clock['setTimeout']> | undefined;
  #reason = '';
  #reported: string | undefined;

  constructor(clock: Clock, report: (reason: string) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** @param isExplanation it is the reason of the whole outage, which began with another one */
  begin(reason: string, isExplanation: boolean): void {
    if (this.#reported !== undefined) {
      if (isExplanation && reason !== this.#reported) this.#tell(reason);
    } else if (reason === 'no-answer') {
      this.end();
      this.#tell(reason);
    } else {
      if (this.#timer === undefined || isExplanation) this.#reason = reason;
      this.#timer ??= this.#clock.setTimeout(() => this.#tell(this.#reason), graceMs);
    }
  }

  #tell(reason: string): void {
    this.#reported = reason;
    this.#report(reason);
  }

  end(): void {
    // Stryker disable next-line ConditionalExpression: no timer can be cleared too
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reported = undefined;
  }
}
