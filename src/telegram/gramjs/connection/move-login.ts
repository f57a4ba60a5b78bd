import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { sleep } from '../../../../actors/kit/sleep.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { PersistentConnection } from '../../connection/persistent-connection.ts';
import { telegramAway } from '../../connection/reconnect-policy.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import type { LoginState } from '../../login/login-state.ts';
import { NotConnectedError, TelegramError } from '../../port/errors.ts';
import { errorNameOf } from '../../telegram-log.ts';
import {
  ConnectionDownError,
  KeyRefusedError,
  type MtprotoConnection,
  type MtprotoConnectionDeps,
  openMtprotoConnection,
} from './mtproto-connection.ts';
import type { GramSessionDeps } from './session-deps.ts';

/** Timeout of each of the two requests. */
const answerMs = 30_000;
/** How often one move is tried, with the pauses of {@link telegramAway}. */
const maxTries = 4;
/** The export was used up, or is too old: another one helps. */
const exportRefused = 'AUTH_BYTES_INVALID';
const noAnswer = (): Error => new TimeoutError('no answer');

/** The data centre to which Telegram has moved the account (https://core.telegram.org/api/errors#303-see-other). */
export function movedTo(error: unknown): number | undefined {
  if (!(error instanceof TelegramError) || error.code !== 303) return undefined;
  const dc = /^(?:USER|PHONE|NETWORK)_MIGRATE_(\d+)$/.exec(error.errorName)?.[1];
  return dc === undefined ? undefined : Number(dc);
}

/** Lets one login follow its account. */
export class LoginMover {
  readonly #deps: GramSessionDeps;
  readonly #login: Pick<LoginState, 'dc' | 'keys'>;
  readonly #connection: PersistentConnection<MtprotoConnection>;
  readonly #onMoved: () => void;
  #moving: Promise<void> | undefined;

  /** @param connection to the account's data centre; it opens the next one to the login's `dc` */
  constructor(
    deps: GramSessionDeps,
    login: Pick<LoginState, 'dc' | 'keys'>,
    connection: PersistentConnection<MtprotoConnection>,
    onMoved: () => void,
  ) {
    this.#deps = deps;
    this.#login = login;
    this.#connection = connection;
    this.#onMoved = onMoved;
  }

  /**
   * Every request that was sent before the move is told of it: the first one moves the login, the others wait.
   * @throws {TelegramError} {@link NotConnectedError} the stop signal's reason
   */
  async follow(dc: number): Promise<void> {
    if (this.#login.dc === dc && this.#moving === undefined) return;
    this.#moving ??= this.#move(dc).finally(() => {
      this.#moving = undefined;
    });
    await this.#moving;
  }

  async #move(dc: number): Promise<void> {
    const { stopSignal } = this.#connection;
    const { clock, log, random } = this.#deps;
    for (let tries = 1; ; tries++) {
      const from = await this.#connection.connection(stopSignal);
      try {
        await moveLogin(this.#deps, this.#login, from, dc, stopSignal);
        break;
      } catch (error) {
        stopSignal.throwIfAborted();
        log('warn', 'a login could not follow its account', { dc, error: errorNameOf(error) });
        const lost = lostLoginReason(error);
        if (lost !== undefined) this.#connection.loginLost(lost);
        // The request that is told of the move waits and asks again, as Telegram's error says.
        if (error instanceof TelegramError && error.errorName !== exportRefused) throw error;
        if (tries >= maxTries) throw new NotConnectedError('the login could not follow its account', { cause: error });
      }
      await sleep(clock, telegramAway.delayMs(tries, random), stopSignal);
    }
    log('info', 'telegram has moved the account', { dc });
    this.#onMoved();
    this.#connection.cut('moved');
  }
}

/**
 * Takes a login along to the data centre to which Telegram has moved its account: exports it from the old one and imports
 * it in the new one (https://core.telegram.org/api/datacenter). Changes the login's `dc` and `keys`. A kept key that the
 * new data centre refuses is given up.
 * @param from the connection to the old data centre
 * @throws {TelegramError} {@link ConnectionDownError} {@link TimeoutError} the signal's reason
 */
async function moveLogin(
  deps: MtprotoConnectionDeps,
  login: Pick<LoginState, 'dc' | 'keys'>,
  from: MtprotoConnection,
  dc: number,
  signal: LightAbortSignal,
): Promise<void> {
  const inTime = <T>(ask: () => Promise<T>): Promise<T> => withTimeout(deps.clock, answerMs, noAnswer, ask, signal);
  const key = login.keys.get(dc);
  const connection = await openMtprotoConnection(deps, { dc, ...(key && { key }), withoutUpdates: true }, signal);
  try {
    const { id, bytes } = await inTime(() => from.invoke(new Api.auth.ExportAuthorization({ dcId: dc })));
    await inTime(() => connection.introduce(new Api.auth.ImportAuthorization({ id, bytes }))).catch(
      (error: unknown) => {
        if (!(error instanceof KeyRefusedError) && lostLoginReason(error) === undefined) throw error;
        // It says nothing of the login: another key is exchanged.
        login.keys.delete(dc);
        throw new ConnectionDownError('key-unknown', { cause: error });
      },
    );
    login.keys.set(dc, connection.key);
    login.dc = dc;
  } finally {
    connection.close();
  }
}
