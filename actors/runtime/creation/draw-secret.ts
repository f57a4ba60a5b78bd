import { createHash } from 'node:crypto';
import type { Randomness } from '../../ports/clock.ts';

/** AU1 */
const secretBytes = 32;

/** A new secret of a session, and its hash, which alone is recorded: SHA-256, hex. */
export function drawSecret(random: Pick<Randomness, 'bytes'>): { sessionId: string; secretHash: string } {
  const sessionId = random.bytes(secretBytes).toString('base64url');
  return { sessionId, secretHash: createHash('sha256').update(sessionId).digest('hex') };
}
