import type { EventStore } from '../actors/ports/event-store.ts';
import type { ViewProgress } from './view-database.ts';

/** Whether views were made from this store: it may have been replaced by another one, or by an older copy. */
export async function isOfStore(
  { stream, revision, eventId, position }: ViewProgress,
  store: Pick<EventStore, 'read'>,
): Promise<boolean> {
  for await (const event of store.read(stream, { from: revision, limit: 1 })) {
    // A copied store has the same events at other positions.
    return event.id === eventId && event.position === position;
  }
  return false;
}
