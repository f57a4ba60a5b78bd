import { randomExponent } from '../crypto/dh.ts';
import { checkSrpAnswer, createChallenge, createVerifier, type SrpChallenge } from '../crypto/srp.ts';
import { RpcError } from '../rpc.ts';
import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** Wrong passwords in a row before Telegram makes one wait; and how long. */
const allowedMistakes = 5;
const mistakeWaitSeconds = 300;

interface Attempts {
  challenges: Map<string, { id: bigint; challenge: SrpChallenge }>;
  mistakes: Map<number, { count: number; waitUntil: number }>;
}

/** Not worth surviving a restart: clients ask again. */
const attemptsOf = new WeakMap<World, Attempts>();

function attempts(world: World): Attempts {
  let own = attemptsOf.get(world);
  if (!own) attemptsOf.set(world, (own = { challenges: new Map(), mistakes: new Map() }));
  return own;
}

/** Sets the password, or clears it with an empty one. */
export async function setPassword(world: World, user: UserRow, password: string, hint: string): Promise<void> {
  if (password === '') delete user.password;
  else user.password = { verifier: await createVerifier(password, world.random(16), world.random(16)), hint };
  attempts(world).mistakes.delete(user.id);
  world.users.put(user);
}

/** A fresh question for this key; an older one is void. */
export function askPassword(world: World, keyId: string, user: UserRow): { id: bigint; B: Buffer } | undefined {
  if (!user.password) return undefined;
  const challenge = createChallenge(user.password.verifier, randomExponent());
  const id = world.random(8).readBigInt64LE();
  attempts(world).challenges.set(keyId, { id, challenge });
  return { id, B: challenge.B };
}

/**
 * Takes the answer; each question is good for one.
 * @throws {RpcError} 400 SRP_ID_INVALID, 400 PASSWORD_HASH_INVALID, 420 FLOOD_WAIT_N after several wrong ones
 */
export function checkPassword(
  world: World,
  keyId: string,
  user: UserRow,
  answer: { srpId: bigint; A: Buffer; M1: Buffer },
): void {
  const { challenges, mistakes } = attempts(world);
  const asked = challenges.get(keyId);
  if (!asked || asked.id !== answer.srpId) throw new RpcError(400, 'SRP_ID_INVALID');
  const made = mistakes.get(user.id);
  if (made && made.waitUntil > world.now()) throw new RpcError(420, `FLOOD_WAIT_${made.waitUntil - world.now()}`);
  challenges.delete(keyId);
  if (asked.challenge.verifier !== user.password?.verifier) throw new RpcError(400, 'SRP_ID_INVALID');
  if (checkSrpAnswer(asked.challenge, answer.A, answer.M1)) {
    mistakes.delete(user.id);
    return;
  }
  const count = (made && made.waitUntil === 0 ? made.count : 0) + 1;
  const waits = count >= allowedMistakes;
  mistakes.set(user.id, { count, waitUntil: waits ? world.now() + mistakeWaitSeconds : 0 });
  throw new RpcError(400, 'PASSWORD_HASH_INVALID');
}
