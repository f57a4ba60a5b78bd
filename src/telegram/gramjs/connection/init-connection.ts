import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import type { LoginState } from '../../login/login-state.ts';
import { TelegramError } from '../../port/errors.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import { type MtprotoConnection, type MtprotoConnectionDeps, openMtprotoConnection } from './mtproto-connection.ts';

/** Timeout of the first request on a new connection; without an answer the connection is dead. */
const greetingMs = 15_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/** The updates of a login, as its connection serves them. */
export interface ConnectionUpdates {
  /** Takes what Telegram pushes. */
  handle(updates: Api.TypeUpdates): void;
  /** Introduces the connection with the request for missed updates. */
  greet(connection: MtprotoConnection): Promise<unknown>;
  /** Asks for missed updates later, since the greeting failed. */
  recover(): void;
}

/**
 * Opens a connection with a login and sends `initConnection` with the request for missed updates.
 * @param isUrgent whether a request waits for it
 * @throws {ConnectionDownError} {@link TelegramError} the signal's reason
 */
export async function openInitialised(
  deps: MtprotoConnectionDeps,
  login: Pick<LoginState, 'dc' | 'keys' | 'stage'>,
  flow: ConnectionUpdates,
  signal: LightAbortSignal,
  isUrgent?: () => boolean,
): Promise<MtprotoConnection> {
  const { dc, keys } = login;
  const key = keys.get(dc);
  const onUpdate = (updates: Api.TypeUpdates): void => flow.handle(updates);
  const options = { dc, ...(key && { key }), onUpdate, ...(isUrgent && { isUrgent }) };
  const connection = await openMtprotoConnection(deps, options, signal);
  try {
    const greet = (): Promise<unknown> =>
      login.stage === 'password' ? connection.introduce(new Api.account.GetPassword()) : flow.greet(connection);
    await withTimeout(deps.clock, greetingMs, noAnswer, greet, signal);
  } catch (error) {
    // An RPC error still proves that the connection works; the difference is fetched later.
    const isAnswer = error instanceof TelegramError || error instanceof UnreadableAnswerError;
    if (!isAnswer || lostLoginReason(error) !== undefined) {
      connection.close(error instanceof TimeoutError ? 'no-answer' : undefined);
      throw error;
    }
    flow.recover();
  }
  return connection;
}

/** Whether Telegram considers the connection's login complete. */
export async function isLoggedIn(clock: Clock, connection: MtprotoConnection): Promise<boolean> {
  try {
    await withTimeout(clock, greetingMs, noAnswer, () => connection.invoke(new Api.updates.GetState()));
    return true;
  } catch {
    return false;
  }
}
