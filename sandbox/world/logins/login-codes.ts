import { RpcError } from '../../rpc.ts';
import type { CodeRow, CodeType } from '../state/login-rows.ts';
import type { UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** https://core.telegram.org/api/auth: how long a code is valid is not published. */
const codeLifetimeSeconds = 300;
/** After this many wrong codes the right one is not accepted either. */
const maxMistakes = 5;
const codeDigits = 5;
const emailCodeDigits = 6;
/** How the code is sent when the client asks for it again: https://core.telegram.org/method/auth.resendCode */
const nextTypes: Readonly<Record<CodeType, CodeType | undefined>> = {
  app: 'sms',
  email: 'sms',
  sms: 'call',
  call: undefined,
};

/** Digits only. @throws {RpcError} 400 PHONE_NUMBER_INVALID */
export function readPhone(phone: string): string {
  const digits = phone.replace(/[\s()+-]/g, '');
  if (!/^\d{7,15}$/.test(digits)) throw new RpcError(400, 'PHONE_NUMBER_INVALID');
  return digits;
}

/** The person with this number; bots and deleted accounts have none. */
export function accountOfPhone(world: World, phone: string): UserRow | undefined {
  for (const user of world.tables.users.values()) {
    if (user.phone === phone && !user.deleted && !user.bot) return user;
  }
  return undefined;
}

export function nextCodeType(type: CodeType): CodeType | undefined {
  return nextTypes[type];
}

/** A new code for this number; codes that have expired are removed. */
export function issueCode(world: World, keyId: string, phone: string): CodeRow {
  for (const old of world.tables.codes.values()) if (isExpired(world, old)) world.tables.codes.delete(old.hash);
  const user = accountOfPhone(world, phone);
  const type = user ? codeTypeOf(world, user) : 'sms';
  return world.tables.codes.put({
    hash: world.random(9).toString('hex'),
    keyId,
    phone,
    code: randomDigits(world, type === 'email' ? emailCodeDigits : codeDigits),
    type,
    sent: world.now(),
    mistakes: 0,
  });
}

/** The control API's choice, or the app if the account is logged in somewhere. */
function codeTypeOf(world: World, user: UserRow): CodeType {
  if (user.codeType) return user.codeType;
  return world.tables.activeLogins(user.id).length > 0 ? 'app' : 'sms';
}

/** Sends the same code another way. @throws {RpcError} 406 SEND_CODE_UNAVAILABLE if there is no other way */
export function resendCode(world: World, row: CodeRow): CodeRow {
  const type = nextCodeType(row.type);
  if (!type) throw new RpcError(406, 'SEND_CODE_UNAVAILABLE');
  const isEmailCode = row.code.length !== codeDigits;
  const code = isEmailCode ? randomDigits(world, codeDigits) : row.code;
  return world.tables.codes.put({ ...row, type, code, sent: world.now() });
}

/** @throws {RpcError} 400 PHONE_NUMBER_INVALID, PHONE_CODE_HASH_EMPTY, PHONE_CODE_EXPIRED */
export function requireCode(world: World, phone: string, hash: string): CodeRow {
  const digits = readPhone(phone);
  if (hash === '') throw new RpcError(400, 'PHONE_CODE_HASH_EMPTY');
  const row = world.tables.codes.get(hash);
  if (!row || row.phone !== digits || isExpired(world, row)) throw new RpcError(400, 'PHONE_CODE_EXPIRED');
  return row;
}

/** @throws {RpcError} 400 PHONE_CODE_EMPTY, PHONE_CODE_INVALID, PHONE_CODE_EXPIRED after too many wrong ones */
export function checkCode(world: World, row: CodeRow, given: string): void {
  if (given === '') throw new RpcError(400, 'PHONE_CODE_EMPTY');
  if (row.mistakes >= maxMistakes) throw new RpcError(400, 'PHONE_CODE_EXPIRED');
  if (given === row.code) return;
  world.tables.codes.put({ ...row, mistakes: row.mistakes + 1 });
  throw new RpcError(400, 'PHONE_CODE_INVALID');
}

function isExpired(world: World, row: CodeRow): boolean {
  return row.sent + codeLifetimeSeconds <= world.now();
}

/** The codes that are valid now, the newest first. */
export function validCodes(world: World): CodeRow[] {
  return [...world.tables.codes.values()].filter((row) => !isExpired(world, row)).toReversed();
}

export function randomDigits(world: World, count: number): string {
  const number = world.random(6).readUIntBE(0, 6) % 10 ** count;
  return String(number).padStart(count, '0');
}
