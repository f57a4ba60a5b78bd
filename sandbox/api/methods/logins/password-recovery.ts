import { DH_BYTES } from '../../../crypto/dh.ts';
import type { SrpVerifier } from '../../../crypto/srp.ts';
import { RpcError, type TlObject } from '../../../rpc.ts';
import {
  checkRecovery,
  emailPattern,
  recoverAccount,
  requestRecovery,
} from '../../../world/logins/password-recovery.ts';
import type { OpenMethod } from '../../method.ts';
import { activateLogin, requireKnownLogin } from './password.ts';

const saltBytes = 8;

/** https://core.telegram.org/method/auth.requestPasswordRecovery */
const requestPasswordRecovery: OpenMethod = (_params, { world, call }) => {
  const { user } = requireKnownLogin(world, call.key.id);
  return { _: 'auth.passwordRecovery', email_pattern: emailPattern(requestRecovery(world, user).email) };
};

const checkRecoveryPassword: OpenMethod = (params, { world, call }) => {
  checkRecovery(world, requireKnownLogin(world, call.key.id).user, params['code'] as string);
  return true;
};

/** https://core.telegram.org/method/auth.recoverPassword */
const recoverPassword: OpenMethod = (params, { world, call }) => {
  const { login, user } = requireKnownLogin(world, call.key.id);
  checkRecovery(world, user, params['code'] as string);
  const settings = params['new_settings'] as TlObject | undefined;
  recoverAccount(world, user, settings && newPassword(settings));
  return activateLogin(world, login, user);
};

/** The client makes the verifier: the server never sees the password. @throws {RpcError} 400 NEW_SETTINGS_INVALID */
function newPassword(settings: TlObject): { verifier: SrpVerifier; hint: string } | undefined {
  const algorithm = settings['new_algo'] as TlObject | undefined;
  if (!algorithm || algorithm._ === 'passwordKdfAlgoUnknown') return undefined;
  const v = settings['new_password_hash'] as Buffer;
  const salt1 = algorithm['salt1'] as Buffer;
  if (v.length === 0) return undefined;
  if (v.length !== DH_BYTES || salt1.length < saltBytes) throw new RpcError(400, 'NEW_SETTINGS_INVALID');
  const verifier = { salt1: Buffer.from(salt1), salt2: Buffer.from(algorithm['salt2'] as Buffer), v: Buffer.from(v) };
  return { verifier, hint: (settings['hint'] as string | undefined) ?? '' };
}

export const passwordRecoveryMethods: Record<string, OpenMethod> = {
  'auth.requestPasswordRecovery': requestPasswordRecovery,
  'auth.checkRecoveryPassword': checkRecoveryPassword,
  'auth.recoverPassword': recoverPassword,
};
