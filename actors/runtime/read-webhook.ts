import { firstWebhook, type SealedWebhook } from '../session/events.ts';
import { type ReadSessionDeps, readSession } from './read-session.ts';

/**
 * A webhook of a session, from the last event that sets it; null if it is off.
 * @param slot 1 is the first webhook
 * @throws {StoreUnavailableError}
 */
export async function readWebhook(
  deps: ReadSessionDeps,
  sessionId: string,
  slot: number,
): Promise<SealedWebhook | null> {
  for await (const { data } of readSession(deps, sessionId, { direction: 'backwards' })) {
    const isOfSlot = (('slot' in data && data.slot) || firstWebhook) === slot;
    if (isOfSlot && 'webhook' in data && data.webhook !== undefined) return data.webhook;
  }
  return null;
}
