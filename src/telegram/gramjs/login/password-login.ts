import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import { LoginLostError } from '../../login/login-lost.ts';
import { TelegramError } from '../../port/errors.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { challengeOf, provePassword } from './password-check.ts';

/**
 * Submits the two-step password. A challenge that Telegram considers used is replaced once.
 * @param isLoggedIn asks Telegram whether the login is complete: an answer may have been lost
 * @throws {TelegramError} {@link NotConnectedError}
 * @throws {LoginLostError} the account has no password any more: only another scan helps
 */
export async function submitPassword(
  call: RpcCall,
  random: Randomness,
  password: string,
  isLoggedIn: () => Promise<boolean>,
  signal: LightAbortSignal,
): Promise<'accepted' | 'rejected'> {
  for (let tries = 1; ; tries++) {
    const settings = await call(new Api.account.GetPassword(), signal);
    if (!settings.hasPassword) {
      if (await isLoggedIn()) return 'accepted';
      throw new LoginLostError('PASSWORD_REMOVED');
    }
    const proof = await provePassword(challengeOf(settings), password, random);
    try {
      await call(new Api.auth.CheckPassword({ password: proof }), signal);
      return 'accepted';
    } catch (error) {
      if (!(error instanceof TelegramError)) throw error;
      if (error.errorName === 'PASSWORD_HASH_INVALID') return 'rejected';
      if (error.waitSeconds === undefined && (await isLoggedIn())) return 'accepted';
      if (error.errorName !== 'SRP_ID_INVALID' || tries > 1) throw error;
    }
  }
}
