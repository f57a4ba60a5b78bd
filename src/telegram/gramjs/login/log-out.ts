import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TimeoutError, withTimeout } from '../../../../actors/kit/timeout.ts';
import type { LoginKey } from '../../login/login-state.ts';
import { TelegramError } from '../../port/errors.ts';
import {
  type MtprotoConnection,
  type MtprotoConnectionDeps,
  openMtprotoConnection,
} from '../connection/mtproto-connection.ts';

const answerMs = 5_000;
/** Limit for all of it. Reconnecting sessions may be ahead of it, and a process opens few connections a second. */
const logOutMs = 60_000;
const noAnswer = (): Error => new TimeoutError('no answer');

/**
 * Logs out at Telegram on an open connection, within 5 s, or until the signal.
 * @returns whether Telegram has answered: the login is over, or Telegram does not know it
 */
export async function logOutOn(
  { clock }: MtprotoConnectionDeps,
  connection: MtprotoConnection,
  signal: LightAbortSignal,
): Promise<boolean> {
  const logOut = (): Promise<unknown> => connection.invoke(new Api.auth.LogOut());
  return isAnswered(() => withTimeout(clock, answerMs, noAnswer, logOut, signal));
}

/**
 * Logs out at Telegram with a login that is not connected, within 10 s of the connection's admission, and 60 s in all, or
 * until the signal.
 * @returns as {@link logOutOn}; without an answer the login may still be open, even if its key was refused
 */
async function logOutStored(
  deps: MtprotoConnectionDeps,
  { dc, key }: LoginKey,
  givenUp: LightAbortSignal,
): Promise<boolean> {
  const { clock } = deps;
  const logOut = async (signal: LightAbortSignal): Promise<void> => {
    const connection = await openMtprotoConnection(deps, { dc, key, openMs: answerMs }, signal);
    const introduce = (): Promise<unknown> => connection.introduce(new Api.auth.LogOut());
    await withTimeout(clock, answerMs, noAnswer, introduce, signal).finally(() => connection.close());
  };
  return isAnswered(() => withTimeout(clock, logOutMs, noAnswer, logOut, givenUp));
}

/** Logs out at Telegram with logins that are not connected. @returns those that may still be open, as {@link logOutStored} */
export async function logOutAll(
  deps: MtprotoConnectionDeps,
  logins: readonly LoginKey[],
  signal: LightAbortSignal,
): Promise<LoginKey[]> {
  const areOver = await Promise.all(logins.map((login) => logOutStored(deps, login, signal)));
  return logins.filter((_, index) => !areOver[index]);
}

async function isAnswered(logOut: () => Promise<unknown>): Promise<boolean> {
  try {
    await logOut();
    return true;
  } catch (error) {
    return error instanceof TelegramError && !error.retryable;
  }
}
