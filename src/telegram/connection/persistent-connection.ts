import { abortForMany, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { reconnect } from '../../../actors/kit/retry-policy.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import { lostLoginReason } from '../login/login-lost.ts';
import { NotConnectedError } from '../port/account.ts';
import { type Watched, watchLiveness } from './liveness.ts';

/** One connection, from its opening to its end. */
export interface OpenConnection extends Watched {
  /** Resolves with the reason, in its message, when it has ended. */
  readonly ended: Promise<Error>;
  close(reason?: string): void;
}

export interface PersistentConnectionListener<W> {
  /** A connection is there. */
  up(wire: W): void;
  /** Telegram has been out of reach for 10 s, or does not answer. Once; the next news is `up` or `loginLost`. */
  down(reason: string): void;
  /** The login is gone: the line has ended. */
  loginLost(reason: string): void;
}

export interface PersistentConnectionDeps {
  clock: Clock;
  random: Randomness;
}

/** A break shorter than this is nobody's business (SE8). */
const graceMs = 10_000;
/** A connection that held so long starts the backoff anew when it breaks. */
const steadyMs = 10_000;
/** How long a caller waits for the connection to come back. */
const comebackMs = 10_000;

/**
 * Keeps a session connected, however long it takes: opens one connection after the other, notices when one is dead, and
 * tells only what matters. Knows nothing of what is said on the connection.
 */
export class PersistentConnection<W extends OpenConnection> {
  readonly #setting: PersistentConnectionDeps;
  readonly #open: (signal: AbortSignal) => Promise<W>;
  readonly #listener: PersistentConnectionListener<W>;
  readonly #stop = abortForMany();
  #wire: W | undefined;
  #waiting = new Set<(wire: W) => void>();

  /** @param open makes a connection that is ready for use; it may throw anything */
  constructor(
    setting: PersistentConnectionDeps,
    open: (signal: AbortSignal) => Promise<W>,
    listener: PersistentConnectionListener<W>,
  ) {
    this.#setting = setting;
    this.#open = open;
    this.#listener = listener;
  }

  /** @param first a connection that is there already */
  start(first?: W): void {
    this.#run(first).catch(() => undefined);
  }

  /** Closes the connection and ends every timer. */
  stop(): void {
    this.#stop.abort(new NotConnectedError('the session is no longer connected'));
    this.#wire?.close();
  }

  /** Aborted when the line has ended; its reason is a {@link NotConnectedError}. */
  get stopSignal(): AbortSignal {
    return this.#stop.signal;
  }

  get stopped(): boolean {
    return this.#stop.signal.aborted;
  }

  get current(): W | undefined {
    return this.#wire;
  }

  /** The connection, or the next one if it comes soon. @throws {NotConnectedError} the signal's reason */
  async wire(signal: LightAbortSignal): Promise<W> {
    if (this.#wire !== undefined) return this.#wire;
    let arrived: (wire: W) => void = () => undefined;
    const next = new Promise<W>((resolve) => {
      arrived = resolve;
      this.#waiting.add(resolve);
    });
    try {
      return await withTimeout(
        this.#setting.clock,
        comebackMs,
        () => new NotConnectedError('telegram is out of reach'),
        () => next,
        signal,
        this.#stop.signal,
      );
    } finally {
      this.#waiting.delete(arrived);
    }
  }

  /** Ends the connection at hand: the next one is opened. */
  cut(reason: string): void {
    this.#wire?.close(reason);
  }

  /** Some request was told that the login is gone. */
  loginLost(reason: string): void {
    if (this.stopped) return;
    this.stop();
    this.#listener.loginLost(reason);
  }

  async #run(first: W | undefined): Promise<void> {
    const { clock, random } = this.#setting;
    const { signal } = this.#stop;
    const outage = new Outage(clock, (reason) => this.#listener.down(reason));
    signal.addEventListener('abort', () => outage.end(), { once: true });
    let failures = 0;
    for (let next = first; !signal.aborted; next = undefined) {
      let reason: string;
      try {
        const wire = next ?? (await this.#open(signal));
        const since = clock.now();
        outage.end();
        reason = await this.#serve(wire);
        if (clock.now() - since >= steadyMs) failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        const lost = lostLoginReason(error);
        if (lost !== undefined) return this.loginLost(lost);
        reason = 'unreachable';
      }
      if (signal.aborted) return;
      outage.begin(reason);
      failures += 1;
      await sleep(clock, reconnect.delayMs(failures, random), signal);
    }
  }

  /** @returns why the connection ended. @throws the login is lost. */
  async #serve(wire: W): Promise<string> {
    if (this.stopped) wire.close();
    const stopWatching = watchLiveness(this.#setting.clock, wire, () => wire.close('no-answer'));
    this.#wire = wire;
    this.#listener.up(wire);
    for (const arrived of this.#waiting) arrived(wire);
    const ending = await wire.ended;
    stopWatching();
    this.#wire = undefined;
    if (lostLoginReason(ending) !== undefined) throw ending;
    return ending.message;
  }
}

/** Tells of an outage once: when it has lasted, or at once where the silence before it was long enough. */
class Outage {
  readonly #clock: Clock;
  readonly #tell: (reason: string) => void;
  #timer: ReturnType<Clock['setTimeout']> | undefined;
  #told = false;

  constructor(clock: Clock, tell: (reason: string) => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  begin(reason: string): void {
    if (this.#told) return;
    if (reason === 'no-answer') {
      this.end();
      this.#told = true;
      this.#tell(reason);
    } else {
      this.#timer ??= this.#clock.setTimeout(() => {
        this.#told = true;
        this.#tell(reason);
      }, graceMs);
    }
  }

  end(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#told = false;
  }
}
