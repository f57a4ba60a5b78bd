import type { Ownership } from '../../ports/ownership.ts';
import type { StoredSession } from '../stored-session.ts';

/**
 * Whether this process may act for a session as it is stored. A session whose last owner has a later epoch is another
 * process's, whatever this one believes of its lease.
 */
export function mayTake(ownership: Ownership, id: string, stored: StoredSession): boolean {
  if (!ownership.owns(id)) return false;
  const epoch = ownership.epochOf(id);
  const taken = typeof stored === 'string' ? undefined : stored.metadata.epoch;
  return epoch === undefined || taken === undefined || taken <= epoch;
}
