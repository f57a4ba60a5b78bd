import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { LoginImpossibleError } from '../../../../actors/ports/telegram-session.ts';
import { withOwnMemory } from '../../../memory/own-memory.ts';
import { lostLoginReason } from '../../login/login-lost.ts';
import type { LoginKey } from '../../login/login-state.ts';
import { readSessionString } from '../../session-strings/read-session-string.ts';
import type { LoginString } from '../../session-strings/session-string.ts';
import { KeyDoubt } from '../connection/key-doubt.ts';
import type { LoginStep } from './code-login.ts';
import { callForLogin, type LoginAnswer, type LoginCallDeps, type LoginPlace } from './login-call.ts';

const stringCannot = (why: string, cause?: unknown): LoginImpossibleError =>
  new LoginImpossibleError(`string cannot log in here: ${why}`, { cause });

/** @throws {LoginImpossibleError} what is wrong with it, never the string */
export function readString(text: string): LoginString {
  const read = readSessionString(text);
  if ('problem' in read) throw new LoginImpossibleError(`login.string cannot be read: ${read.problem}`);
  return { ...read, key: withOwnMemory(read.key) };
}

/**
 * Checks the login of a session string by asking whose it is. If that fails, nothing is logged out: it is its owner's.
 * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
 */
export async function checkString(
  deps: LoginCallDeps,
  { dc, key }: LoginKey,
  signal: LightAbortSignal,
): Promise<Exclude<LoginStep, { stage: 'code' }>> {
  const place: LoginPlace = { dc, keys: new Map([[dc, key]]) };
  const { answer, connection } = await whoIs({ ...deps, doubt: new KeyDoubt(deps.clock, 0) }, place, signal);
  const [user] = answer === 'password' ? [] : answer;
  if (user instanceof Api.User) return { stage: 'complete', connection, ...(user.bot && { isBot: true }) };
  connection.close();
  throw stringCannot(answer === 'password' ? 'its login waits for a password' : 'telegram does not say whose it is');
}

async function whoIs(
  deps: LoginCallDeps,
  place: LoginPlace,
  signal: LightAbortSignal,
): Promise<LoginAnswer<Api.TypeUser[]>> {
  const { dc } = place;
  const self = new Api.users.GetUsers({ id: [new Api.InputUserSelf()] });
  try {
    return await callForLogin(deps, place, self, signal);
  } catch (error) {
    const lost = lostLoginReason(error);
    if (lost === undefined) throw error;
    throw stringCannot(place.dc === dc ? lost : `its account has moved to data centre ${place.dc}`, error);
  }
}
