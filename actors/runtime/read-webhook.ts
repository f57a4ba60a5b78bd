import type { EventStore } from '../ports/event-store.ts';
import type { SealedWebhook } from '../session/events.ts';
import { sessionStream } from '../session/events.ts';

/**
 * The webhook of a session, as the last event that speaks of one has it; null where it is off.
 * @throws {StoreUnavailableError}
 */
export async function readWebhook(store: Pick<EventStore, 'read'>, sessionId: string): Promise<SealedWebhook | null> {
  for await (const { data } of store.read(sessionStream(sessionId), { direction: 'backwards' })) {
    const { webhook } = data as { webhook?: SealedWebhook | null };
    if (webhook !== undefined) return webhook;
  }
  return null;
}
