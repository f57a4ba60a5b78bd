import { Api } from 'telegram/tl/index.js';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import type { LoginState } from '../../login/login-state.ts';
import { TelegramError } from '../../port/errors.ts';
import { UnreadableAnswerError } from '../library/sender.ts';
import type { UpdateFlow } from '../updates/update-flow.ts';
import { type MtprotoConnection, type MtprotoConnectionDeps, openMtprotoConnection } from './mtproto-connection.ts';

/** The first request on a new connection: Telegram answers it, or the connection is as good as none. */
const greetingMs = 15_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/**
 * Opens a connection with a login, and asks on it at once for what has been missed.
 * @throws {WireDownError} {@link LoginLostError} {@link TelegramError} the signal's reason
 */
export async function openInitialised(
  setting: MtprotoConnectionDeps,
  login: Pick<LoginState, 'dc' | 'keys' | 'stage'>,
  flow: UpdateFlow,
  signal: AbortSignal,
): Promise<MtprotoConnection> {
  const { dc, keys } = login;
  const key = keys.get(dc);
  const onUpdate = (updates: Api.TypeUpdates): void => flow.handle(updates);
  const wire = await openMtprotoConnection(setting, { dc, ...(key && { key }), onUpdate }, signal);
  try {
    const greet = (): Promise<unknown> =>
      login.stage === 'password' ? wire.introduce(new Api.account.GetPassword()) : flow.greet(wire);
    await withTimeout(setting.clock, greetingMs, noAnswer, greet, signal);
  } catch (error) {
    // Refused, but answered: the connection is good, what was asked for comes another time.
    const isAnswer = error instanceof TelegramError || error instanceof UnreadableAnswerError;
    if (!isAnswer || lostLoginReason(error) !== undefined) {
      wire.close();
      throw error;
    }
    flow.recover();
  }
  return wire;
}

/** Whether Telegram takes the login of a connection to be complete. */
export async function isLoggedIn(clock: Clock, wire: MtprotoConnection): Promise<boolean> {
  try {
    await withTimeout(clock, greetingMs, noAnswer, () => wire.invoke(new Api.updates.GetState()));
    return true;
  } catch {
    return false;
  }
}
