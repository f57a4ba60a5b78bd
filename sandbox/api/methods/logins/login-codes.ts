import { RpcError, type TlObject } from '../../../rpc.ts';
import { addAccount } from '../../../world/add-account.ts';
import {
  accountOfPhone,
  checkCode,
  issueCode,
  nextCodeType,
  readPhone,
  requireCode,
  resendCode,
} from '../../../world/logins/login-codes.ts';
import { takeLogoutToken } from '../../../world/logins/logout-tokens.ts';
import { emailPattern } from '../../../world/logins/password-recovery.ts';
import type { CodeRow, CodeType } from '../../../world/state/login-rows.ts';
import type { World } from '../../../world/world.ts';
import type { OpenMethod } from '../../method.ts';
import { pushLoginCode } from '../../push/push-service-messages.ts';
import { requireApiCredentials } from './api-credentials.ts';
import { completeLogin } from './complete-login.ts';

/** Seconds after which a client may ask for the code to be sent another way. */
const resendAfterSeconds = 60;
const maxNameLength = 64;

/** https://core.telegram.org/method/auth.sendCode */
const sendCode: OpenMethod = (params, { world, call }) => {
  requireApiCredentials(params);
  const phone = readPhone(params['phone_number'] as string);
  const user = accountOfPhone(world, phone);
  if (user?.banned) throw new RpcError(400, 'PHONE_NUMBER_BANNED');
  if (user && user.dc !== call.dc) throw new RpcError(303, `PHONE_MIGRATE_${user.dc}`);
  const tokens = ((params['settings'] as TlObject | undefined)?.['logout_tokens'] ?? []) as Buffer[];
  if (user && takeLogoutToken(world, user, tokens)) {
    return { _: 'auth.sentCodeSuccess', authorization: completeLogin(world, call.key, user) };
  }
  const row = issueCode(world, call.key.id, phone);
  deliver(world, row);
  return tlSentCode(world, row);
};

const resend: OpenMethod = (params, { world }) => {
  const row = resendCode(world, codeOf(params, world));
  deliver(world, row);
  return tlSentCode(world, row);
};

const cancel: OpenMethod = (params, { world }) => {
  world.tables.codes.delete(codeOf(params, world).hash);
  return true;
};

/** https://core.telegram.org/method/auth.signIn */
const signIn: OpenMethod = (params, { world, call }) => {
  const row = codeOf(params, world);
  const email = params['email_verification'] as TlObject | undefined;
  checkCode(world, row, String(email?.['code'] ?? params['phone_code'] ?? ''));
  const user = accountOfPhone(world, row.phone);
  if (!user) {
    world.tables.codes.put({ ...row, proven: true });
    return { _: 'auth.authorizationSignUpRequired' };
  }
  if (user.banned) throw new RpcError(400, 'PHONE_NUMBER_BANNED');
  if (user.dc !== call.dc) throw new RpcError(303, `USER_MIGRATE_${user.dc}`);
  world.tables.codes.delete(row.hash);
  return completeLogin(world, call.key, user);
};

/** https://core.telegram.org/method/auth.signUp: after `auth.authorizationSignUpRequired`. */
const signUp: OpenMethod = (params, { world, call }) => {
  const row = codeOf(params, world);
  if (accountOfPhone(world, row.phone)) throw new RpcError(400, 'PHONE_NUMBER_OCCUPIED');
  if (!row.proven) throw new RpcError(400, 'PHONE_CODE_INVALID');
  const firstName = (params['first_name'] as string).trim();
  const lastName = (params['last_name'] as string).trim();
  if (firstName === '' || firstName.length > maxNameLength) throw new RpcError(400, 'FIRSTNAME_INVALID');
  if (lastName.length > maxNameLength) throw new RpcError(400, 'LASTNAME_INVALID');
  world.tables.codes.delete(row.hash);
  const user = addAccount(world, { firstName, lastName, phone: row.phone, dc: call.dc });
  return completeLogin(world, call.key, user);
};

function codeOf(params: TlObject, world: World): CodeRow {
  return requireCode(world, params['phone_number'] as string, params['phone_code_hash'] as string);
}

/** A code for the app is a message of Telegram's own account; the control API shows all of them. */
function deliver(world: World, { type, phone, code }: CodeRow): void {
  const user = accountOfPhone(world, phone);
  if (type === 'app' && user) pushLoginCode(world, user.id, code);
}

function tlSentCode(world: World, { hash, phone, code, type }: CodeRow): TlObject {
  const next = nextCodeType(type);
  return {
    _: 'auth.sentCode',
    type: { ...tlType(type, accountOfPhone(world, phone)?.email ?? ''), length: code.length },
    phone_code_hash: hash,
    next_type: next && { _: next === 'call' ? 'auth.codeTypeCall' : 'auth.codeTypeSms' },
    timeout: next && resendAfterSeconds,
  };
}

function tlType(type: CodeType, email: string): TlObject {
  if (type === 'email') return { _: 'auth.sentCodeTypeEmailCode', email_pattern: emailPattern(email) };
  const names = { app: 'App', sms: 'Sms', call: 'Call' } as const;
  return { _: `auth.sentCodeType${names[type]}` };
}

export const loginCodeMethods: Record<string, OpenMethod> = {
  'auth.sendCode': sendCode,
  'auth.resendCode': resend,
  'auth.cancelCode': cancel,
  'auth.signIn': signIn,
  'auth.signUp': signUp,
};
