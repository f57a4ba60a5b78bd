import type { SrpVerifier } from '../../crypto/srp.ts';
import { RpcError } from '../../rpc.ts';
import type { RecoveryRow } from '../state/login-rows.ts';
import type { UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { randomDigits } from './login-codes.ts';

const codeDigits = 6;
const codeLifetimeSeconds = 3_600;

/** Sends a code to the account's address. @throws {RpcError} 400 PASSWORD_EMPTY, PASSWORD_RECOVERY_NA */
export function requestRecovery(world: World, user: UserRow): RecoveryRow {
  if (!user.password) throw new RpcError(400, 'PASSWORD_EMPTY');
  if (!user.email) throw new RpcError(400, 'PASSWORD_RECOVERY_NA');
  const code = randomDigits(world, codeDigits);
  return world.tables.recoveries.put({ userId: user.id, email: user.email, code, sent: world.now() });
}

/** @throws {RpcError} 400 CODE_EMPTY, CODE_INVALID, PASSWORD_RECOVERY_EXPIRED */
export function checkRecovery(world: World, user: UserRow, given: string): void {
  if (given === '') throw new RpcError(400, 'CODE_EMPTY');
  const row = world.tables.recoveries.get(user.id);
  if (!row || row.sent + codeLifetimeSeconds <= world.now()) throw new RpcError(400, 'PASSWORD_RECOVERY_EXPIRED');
  if (row.code !== given) throw new RpcError(400, 'CODE_INVALID');
}

/** Removes the password, or replaces it. The code is used up. */
export function recoverAccount(
  world: World,
  user: UserRow,
  password: { verifier: SrpVerifier; hint: string } | undefined,
): void {
  world.tables.recoveries.delete(user.id);
  const { password: _forgotten, ...rest } = user;
  world.tables.users.put(password ? { ...rest, password } : rest);
}

/** An address of which only the first letters show: `a***@example.com`. */
export function emailPattern(email: string): string {
  const [name = '', domain = ''] = email.split('@');
  return `${name.slice(0, 1)}${'*'.repeat(Math.max(3, name.length - 2))}${name.slice(1).slice(-1)}@${domain}`;
}
