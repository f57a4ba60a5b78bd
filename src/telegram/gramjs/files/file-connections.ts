import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../../actors/kit/timeout.ts';
import type { RateGate } from '../../connection/rate-gate.ts';
import { telegramAway } from '../../connection/reconnect-policy.ts';
import type { OnWait } from '../../connection/retry-after.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import type { LoginState } from '../../login/login-state.ts';
import { isFrozen, NotConnectedError, TelegramError } from '../../port/errors.ts';
import { KeyDoubt } from '../connection/key-doubt.ts';
import { movedTo } from '../connection/move-login.ts';
import {
  ConnectionDownError,
  type MtprotoConnection,
  type MtprotoConnectionDeps,
  openMtprotoConnection,
} from '../connection/mtproto-connection.ts';
import { NoAnswerError, retryRpc } from '../connection/retry-rpc.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { FileConnectionPool } from './file-connection-pool.ts';

/** What the connections for files need from the account's own connection. */
export interface Home {
  /** The account's home data centre, and its authorization keys by data centre: new ones are added. */
  readonly login: Pick<LoginState, 'dc' | 'keys'>;
  /** Sends a request to the account's home data centre. */
  call: RpcCall;
  /** Called when the keys have changed. */
  keysChanged: () => void;
  loginLost: (reason: string) => void;
  /** Telegram has frozen the account: it refused a request for that reason. */
  frozen: (error: TelegramError) => void;
  /** Telegram has moved the account to this data centre. Resolves when the login was taken along. */
  moved: (dc: number) => Promise<void>;
  gate: RateGate;
  onWait: OnWait;
}

/** A connection that does not answer for this long is dead. */
const silenceMs = 20_000;
/** After this many other answers on the connection, the answer to a request is considered lost. */
const maxSilences = 3;
const noAnswer = (): Error => new NoAnswerError();

/**
 * Sends requests about files to any data centre, on connections of their own, so that large files do not delay messages
 * (https://core.telegram.org/api/files#general-considerations). In a foreign data centre an exported login authorizes
 * them (https://core.telegram.org/api/datacenter). Connections stay open while they are used.
 */
export class FileConnections {
  readonly #deps: MtprotoConnectionDeps;
  readonly #home: Home;
  readonly #signal: LightAbortSignal;
  /** By data centre, once it was used. */
  #centres: Map<number, FileConnectionPool> | undefined;

  /** @param signal closes all of them for good */
  constructor(deps: MtprotoConnectionDeps, home: Home, signal: LightAbortSignal) {
    this.#deps = deps;
    this.#home = home;
    this.#signal = signal;
    const close = (): void => {
      for (const centre of this.#centres?.values() ?? []) centre.close(ended());
    };
    signal.addEventListener('abort', close, { once: true });
  }

  /**
   * Sends a request to a data centre. Broken connections, and waits under a minute (and not longer than
   * `maxWaitMs`), are handled here, and a move of the account; that the file lies elsewhere (`FILE_MIGRATE_4`) is an error
   * for the caller.
   *
   * @param dc `home`: the account's data centre, which may change
   * @throws {TelegramError} Telegram refused
   * @throws {NotConnectedError} unreachable, no answer, or the login is lost
   * @throws the signal's reason
   */
  call<R extends Api.AnyRequest>(
    dc: number | 'home',
    request: R,
    signal: LightAbortSignal,
    maxWaitMs?: number,
  ): Promise<R['__response']> {
    const { clock, random } = this.#deps;
    const repeating = {
      clock,
      gate: this.#home.gate,
      onWait: this.#home.onWait,
      maxWaitMs,
      pauseMs: (failures: number) => (failures === 1 ? 0 : telegramAway.delayMs(failures - 1, random)),
    };
    const { trace } = this.#deps;
    const { className } = request;
    const place = (): number => (dc === 'home' ? this.#home.login.dc : dc);
    const send = () => this.#send(place(), request, signal);
    const repeat = () => retryRpc(repeating, className, send, signal, this.#signal);
    return trace === undefined ? repeat() : trace(className, place(), repeat);
  }

  async #send<R extends Api.AnyRequest>(dc: number, request: R, signal: LightAbortSignal): Promise<R['__response']> {
    const centre = this.#centre(dc);
    const lent = await centre.take(signal);
    try {
      return await this.#answer(lent.connection, request, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (isFrozen(error)) this.#home.frozen(error);
      const movedDc = movedTo(error);
      const judged = movedDc === undefined ? this.#judge(error, lent.connection) : await this.#follow(movedDc, lent);
      if (judged !== error) lent.connection.close();
      throw judged;
    } finally {
      centre.giveBack(lent);
    }
  }

  /** The login follows its account. A key of the data centre that it has left is that of the former login: it is given up. */
  async #follow(
    movedDc: number,
    { connection: { dc, key } }: { connection: MtprotoConnection },
  ): Promise<ConnectionDownError> {
    await this.#home.moved(movedDc);
    if (dc !== this.#home.login.dc) this.#forgetKey(dc, key);
    return new ConnectionDownError('moved');
  }

  #centre(dc: number): FileConnectionPool {
    if (this.#signal.aborted) throw ended();
    const known = this.#centres?.get(dc);
    if (known !== undefined) return known;
    const { clock } = this.#deps;
    const doubt = new KeyDoubt(clock, 0);
    const centre = new FileConnectionPool(clock, () => this.#open(dc, doubt));
    this.#centres ??= new Map();
    this.#centres.set(dc, centre);
    return centre;
  }

  async #answer<R extends Api.AnyRequest>(
    connection: MtprotoConnection,
    request: R,
    signal: LightAbortSignal,
  ): Promise<R['__response']> {
    let answer: Promise<R['__response']> | undefined;
    // Sent once, and awaited up to three times.
    const ask = (): Promise<R['__response']> => (answer ??= connection.invoke(request));
    for (let silences = 1; ; silences++) {
      const heardAt = connection.lastHeardAt;
      try {
        return await withTimeout(this.#deps.clock, silenceMs, noAnswer, ask, signal);
      } catch (error) {
        if (!(error instanceof NoAnswerError)) throw error;
        if (connection.lastHeardAt === heardAt) connection.close('no-answer');
        else if (silences < maxSilences) continue;
        throw error;
      }
    }
  }

  /**
   * A refused key (-404) is like any other break. In a foreign data centre it is exchanged anew after some refusals; at
   * home the account's own connection decides what it means.
   */
  #open(dc: number, doubt: KeyDoubt): Promise<MtprotoConnection> {
    if (dc === this.#home.login.dc) return this.#openOnce(dc);
    return doubt
      .judge(() => this.#openOnce(dc))
      .catch((error: unknown) => {
        throw this.#judge(error, { dc, key: this.#home.login.keys.get(dc) });
      });
  }

  async #openOnce(dc: number): Promise<MtprotoConnection> {
    const key = this.#home.login.keys.get(dc);
    const connection = await this.#connect(dc, key);
    try {
      if (key === undefined) {
        const { id, bytes } = await this.#home.call(new Api.auth.ExportAuthorization({ dcId: dc }), this.#signal);
        await this.#greet(connection, new Api.auth.ImportAuthorization({ id, bytes }));
        this.#home.login.keys.set(dc, connection.key);
        this.#home.keysChanged();
      } else {
        await this.#greet(connection, new Api.help.GetNearestDc());
      }
      return connection;
    } catch (error) {
      connection.close();
      throw this.#judge(error, connection);
    }
  }

  async #connect(dc: number, key: Buffer | undefined): Promise<MtprotoConnection> {
    try {
      const options = { dc, ...(key && { key }), withoutUpdates: true, isUrgent: () => true };
      return await openMtprotoConnection(this.#deps, options, this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      throw new ConnectionDownError('unreachable', { cause: error });
    }
  }

  async #greet(connection: MtprotoConnection, request: Api.AnyRequest): Promise<void> {
    const { clock } = this.#deps;
    await withTimeout(clock, silenceMs, noAnswer, () => connection.introduce(request), this.#signal);
  }

  /** The caller's error for one that says that the login, or a key made here, is lost. */
  #judge(error: unknown, { dc, key }: { dc: number; key: Buffer | undefined }): unknown {
    const lost = lostLoginReason(error);
    if (lost === undefined && !(error instanceof TelegramError && error.code === 401)) return error;
    if (dc !== this.#home.login.dc) {
      // Telegram forgot a key of a foreign data centre: a new one is exchanged.
      if (key !== undefined) this.#forgetKey(dc, key);
      return new ConnectionDownError('key-unknown');
    }
    if (lost === undefined) return error;
    this.#home.loginLost(lost);
    return new NotConnectedError('the login is lost', { cause: error });
  }

  #forgetKey(dc: number, key: Buffer): void {
    if (this.#home.login.keys.get(dc)?.equals(key) && this.#home.login.keys.delete(dc)) this.#home.keysChanged();
  }
}

const ended = (): Error => new NotConnectedError('the session is no longer connected');
