import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { retryAfterMsOf } from '../../../../actors/kit/retryable.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import { reconnect } from '../../connection/reconnect-policy.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import { loginRefusal } from '../../login/login-refused.ts';
import { TelegramError } from '../../port/errors.ts';
import { errorNameOf } from '../../telegram-log.ts';
import { KeyDoubt } from '../connection/key-doubt.ts';
import { type MtprotoConnection, openMtprotoConnection } from '../connection/mtproto-connection.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { flattenUpdates } from '../updates/flatten-updates.ts';

interface QrToken {
  /** `tg://login?token=…` */
  link: string;
  /** Milliseconds since 1970, on the gateway's clock. */
  expires: number;
}

/** The result of a scan: a connection that is logged in, or that only needs a password. */
export interface QrOutcome {
  stage: 'password' | 'complete';
  connection: MtprotoConnection;
}

const answerMs = 15_000;
const noAnswer = (): Error => new TimeoutError('no answer');
/** Minimum interval between tokens, whatever their expiry. */
const shortestTokenMs = 1_000;
/** Telegram accepts a token that it handed to another data centre for up to this long. */
const handoverMs = 30_000;

/** What one attempt leaves to the next: a scan binds the login to the keys, not to the connection. */
interface QrMemory {
  /** The first data centre. */
  dc: number;
  readonly keys: Map<number, Buffer>;
  /** A scanned token that has to be redeemed in another data centre; `until`: by the clock's `elapsed()`. */
  handover: { dc: number; token: Buffer; until: number } | undefined;
}

interface QrLoginOptions {
  onToken: (token: QrToken) => void;
  /** Telegram issues no token to this application. Called at each try. */
  onRefused: (reason: string) => void;
  onUpdate: (update: Api.TypeUpdates) => void;
}

/**
 * Logs in by QR code (https://core.telegram.org/api/qr-login): shows one token after the other until one is scanned. It
 * survives broken connections and refusals.
 *
 * @param onUpdate gets every update from the moment of the login
 * @throws only the signal's reason; then no connection is left open
 */
export async function logInByQr(
  deps: GramSessionDeps,
  options: QrLoginOptions,
  signal: LightAbortSignal,
): Promise<QrOutcome> {
  const memory: QrMemory = { dc: deps.network.homeDc, keys: new Map(), handover: undefined };
  // The scan of a QR code is bound to the key, so a key is not given up at the first refusal.
  const doubt = new KeyDoubt(deps.clock, 0);
  for (let failures = 1; ; failures++) {
    signal.throwIfAborted();
    const attempt = new QrAttempt(deps, options, memory, signal);
    try {
      const onProgress = (): void => {
        failures = 1;
      };
      return await doubt.judge(() => attempt.run(onProgress));
    } catch (error) {
      attempt.close();
      signal.throwIfAborted();
      const refusal = loginRefusal(error);
      if (refusal === undefined) deps.log('warn', 'a login by QR was interrupted', { error: errorNameOf(error) });
      else options.onRefused(refusal);
      if (lostLoginReason(error) !== undefined) memory.keys.clear();
      memory.dc = dcWanted(error) ?? memory.dc;
      const delayMs = Math.max(retryAfterMsOf(error), reconnect.delayMs(failures, deps.random));
      await restUnlessRerouted(deps, delayMs, signal);
    }
  }
}

/** Waits before the next attempt. With another proxy it may succeed at once. */
async function restUnlessRerouted(
  { clock, route }: Pick<GramSessionDeps, 'clock' | 'route'>,
  delayMs: number,
  signal: LightAbortSignal,
): Promise<void> {
  const stop = new LightAbort();
  const forget = route?.onChange(() => stop.abort(new Error('another proxy')));
  try {
    await sleep(clock, delayMs, signal, stop);
  } catch {
    signal.throwIfAborted();
  } finally {
    forget?.();
  }
}

/** The data centre that Telegram redirects to (`NETWORK_MIGRATE_4`). */
function dcWanted(error: unknown): number | undefined {
  const wanted = error instanceof TelegramError ? /_MIGRATE_(\d+)$/.exec(error.errorName) : null;
  return wanted === null ? undefined : Number(wanted[1]);
}

/** One attempt on one connection, or on two if the account's home is another data centre. */
class QrAttempt {
  readonly #deps: GramSessionDeps;
  readonly #options: QrLoginOptions;
  readonly #memory: QrMemory;
  readonly #signal: LightAbortSignal;
  #connection: MtprotoConnection | undefined;
  /** Aborted by a scan of the token that is shown. */
  readonly #watch = { scan: new LightAbort() };

  constructor(deps: GramSessionDeps, options: QrLoginOptions, memory: QrMemory, signal: LightAbortSignal) {
    this.#deps = deps;
    this.#options = options;
    this.#memory = memory;
    this.#signal = signal;
  }

  close(): void {
    this.#connection?.close();
  }

  async run(onProgress: () => void): Promise<QrOutcome> {
    const { clock } = this.#deps;
    const resumed = await this.#resume();
    if (resumed !== undefined) return resumed;
    let connection = await this.#connect(this.#memory.dc);
    let ask: (request: Api.AnyRequest) => Promise<unknown> = (request) => connection.introduce(request);
    for (;;) {
      // Registered here, so that a scan between the request and the wait is not missed.
      const scan = new LightAbort();
      this.#watch.scan = scan;
      let answer = await this.#answer(() => ask(this.#exportRequest()));
      for (let hops = 0; answer instanceof Api.auth.LoginTokenMigrateTo && hops < 3; hops++) {
        connection.close();
        const { dcId: dc, token } = answer;
        this.#memory.handover = { dc, token, until: clock.elapsed() + handoverMs };
        connection = await this.#connect(dc);
        answer = await this.#answer(() => connection.introduce(new Api.auth.ImportLoginToken({ token })));
      }
      ask = (request) => connection.invoke(request);
      const outcome = outcomeOf(connection, answer);
      if (outcome !== undefined) return outcome;
      if (!(answer instanceof Api.auth.LoginToken)) throw new Error('telegram keeps sending the login elsewhere');

      onProgress();
      const expires = connection.toGatewayTime(answer.expires);
      this.#options.onToken({ link: `tg://login?token=${Buffer.from(answer.token).toString('base64url')}`, expires });
      await this.#scanOrExpiry(scan, Math.max(shortestTokenMs, expires - clock.now()), connection);
    }
  }

  async #connect(dc: number): Promise<MtprotoConnection> {
    const watch = this.#watch;
    const pass = this.#options.onUpdate;
    // The connection stays open with the session: it keeps nothing else of the attempt.
    const onUpdate = (update: Api.TypeUpdates): void => {
      // It must not write messages for a scan that is over.
      const isMessage = update instanceof Api.UpdateShortMessage || update instanceof Api.UpdateShortChatMessage;
      const isScan = !isMessage && flattenUpdates(update).some((one) => one instanceof Api.UpdateLoginToken);
      // What was missed may be the scan: asking for the token again tells.
      if (isScan || update instanceof Api.UpdatesTooLong) watch.scan.abort(new Error('scanned'));
      pass(update);
    };
    const key = this.#memory.keys.get(dc);
    const connection = await openMtprotoConnection(this.#deps, { dc, ...(key && { key }), onUpdate }, this.#signal);
    this.#memory.keys.set(dc, connection.key);
    this.#connection = connection;
    return connection;
  }

  /** Continues with a scanned token that an earlier attempt could not redeem, or whose outcome is unknown. */
  async #resume(): Promise<QrOutcome | undefined> {
    const { handover } = this.#memory;
    if (handover === undefined || handover.until <= this.#deps.clock.elapsed()) return undefined;
    const connection = await this.#connect(handover.dc);
    let answer: unknown;
    try {
      answer = await this.#answer(() => connection.introduce(new Api.auth.ImportLoginToken({ token: handover.token })));
    } catch (error) {
      if (!(error instanceof TelegramError && error.errorName.startsWith('AUTH_TOKEN_'))) throw error;
      this.#memory.handover = undefined;
      answer = await this.#answer(() => connection.invoke(new Api.updates.GetState()));
    }
    this.#memory.handover = undefined;
    const outcome = outcomeOf(connection, answer);
    if (outcome === undefined) connection.close();
    return outcome;
  }

  /** The answer to an export or import. That a password is needed comes as an error of either. */
  async #answer(ask: () => Promise<unknown>): Promise<unknown> {
    try {
      return await withTimeout(this.#deps.clock, answerMs, noAnswer, ask, this.#signal);
    } catch (error) {
      if (error instanceof TelegramError && error.errorName === 'SESSION_PASSWORD_NEEDED') return 'password';
      throw error;
    }
  }

  async #scanOrExpiry(scan: LightAbortSignal, tokenMs: number, connection: MtprotoConnection): Promise<void> {
    try {
      await sleep(this.#deps.clock, tokenMs, scan, this.#signal, connection.over);
    } catch (error) {
      if (error !== scan.reason) throw error;
    }
  }

  #exportRequest(): Api.auth.ExportLoginToken {
    const { apiId, apiHash } = this.#deps.network;
    return new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] });
  }
}

/** Logged in, or only the password is missing; undefined if there is more to do. */
function outcomeOf(connection: MtprotoConnection, answer: unknown): QrOutcome | undefined {
  if (answer === 'password') return { stage: 'password', connection };
  const isLoggedIn = answer instanceof Api.auth.LoginTokenSuccess || answer instanceof Api.updates.State;
  return isLoggedIn ? { stage: 'complete', connection } : undefined;
}
