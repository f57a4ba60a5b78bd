import { randomExponent } from '../../crypto/dh.ts';
import { checkSrpAnswer, createChallenge, createVerifier, type SrpChallenge } from '../../crypto/srp.ts';
import { RpcError } from '../../rpc.ts';
import type { UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

/** After this many wrong passwords in a row, the next attempt has to wait. */
const maxMistakes = 5;
const waitAfterMistakesSeconds = 300;

interface PasswordAttempts {
  /** By key ID. */
  challenges: Map<string, { id: bigint; challenge: SrpChallenge }>;
  /** By user ID. `waitUntil`: seconds since 1970; 0 while there is nothing to wait for. */
  mistakes: Map<number, { count: number; waitUntil: number }>;
}

/** Not stored: after a restart clients ask for a new challenge. */
const attemptsByWorld = new WeakMap<World, PasswordAttempts>();

function attemptsIn(world: World): PasswordAttempts {
  let attempts = attemptsByWorld.get(world);
  if (!attempts) attemptsByWorld.set(world, (attempts = { challenges: new Map(), mistakes: new Map() }));
  return attempts;
}

/** An empty password clears it. */
export async function setPassword(world: World, user: UserRow, password: string, hint: string): Promise<void> {
  if (password === '') delete user.password;
  else user.password = { verifier: await createVerifier(password, world.random(16), world.random(16)), hint };
  attemptsIn(world).mistakes.delete(user.id);
  world.tables.users.put(user);
}

/** A new SRP challenge for this key, which replaces an older one; undefined if the user has no password. */
export function issuePasswordChallenge(
  world: World,
  keyId: string,
  user: UserRow,
): { id: bigint; B: Buffer } | undefined {
  if (!user.password) return undefined;
  const challenge = createChallenge(user.password.verifier, randomExponent());
  const id = world.random(8).readBigInt64LE();
  attemptsIn(world).challenges.set(keyId, { id, challenge });
  return { id, B: challenge.B };
}

/**
 * Checks an answer. A challenge takes only one.
 * @throws {RpcError} 400 SRP_ID_INVALID, 400 PASSWORD_HASH_INVALID, 420 FLOOD_WAIT_N after several wrong answers
 */
export function checkPassword(
  world: World,
  keyId: string,
  user: UserRow,
  answer: { srpId: bigint; A: Buffer; M1: Buffer },
): void {
  const { challenges, mistakes } = attemptsIn(world);
  const issued = challenges.get(keyId);
  if (!issued || issued.id !== answer.srpId) throw new RpcError(400, 'SRP_ID_INVALID');
  const before = mistakes.get(user.id);
  const waitSeconds = (before?.waitUntil ?? 0) - world.now();
  if (waitSeconds > 0) throw new RpcError(420, `FLOOD_WAIT_${waitSeconds}`);
  challenges.delete(keyId);
  if (issued.challenge.verifier !== user.password?.verifier) throw new RpcError(400, 'SRP_ID_INVALID');
  if (checkSrpAnswer(issued.challenge, answer.A, answer.M1)) {
    mistakes.delete(user.id);
    return;
  }
  const count = (before && before.waitUntil === 0 ? before.count : 0) + 1;
  const waitUntil = count >= maxMistakes ? world.now() + waitAfterMistakesSeconds : 0;
  mistakes.set(user.id, { count, waitUntil });
  throw new RpcError(400, 'PASSWORD_HASH_INVALID');
}
