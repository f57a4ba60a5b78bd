import type { SealedWebhook } from '../session/events.ts';
import { type ReadSessionDeps, readSession } from './read-session.ts';

/** The webhook of a session, from the last event that sets it; null if it is off. @throws {StoreUnavailableError} */
export async function readWebhook(deps: ReadSessionDeps, sessionId: string): Promise<SealedWebhook | null> {
  for await (const { data } of readSession(deps, sessionId, { direction: 'backwards' })) {
    if ('webhook' in data && data.webhook !== undefined) return data.webhook;
  }
  return null;
}
