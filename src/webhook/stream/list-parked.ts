import type { EventStore } from '../../../actors/ports/event-store.ts';
import { deliveredTypes, deliveryStream, isDelivered, placed } from './delivery-events.ts';
import { firstRevision } from './find-revision.ts';
import type { OutboxProgress } from './outbox-progress.ts';
import { nextParked, reasonOf } from './parked.ts';

/** A delivery that was given up. */
export interface ParkedDelivery {
  seq: number;
  id: string;
  type: (typeof deliveredTypes)[keyof typeof deliveredTypes];
  /** When it was recorded, ISO 8601. */
  created: string;
  error: string;
}

/** In order of their numbers, those after one of them. @throws {StoreUnavailableError} */
export async function listParked(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  { parked, upTo }: OutboxProgress,
  after: number,
  limit: number,
): Promise<ParkedDelivery[]> {
  const first = nextParked(parked, after + 1);
  if (first === undefined) return [];
  const from = await firstRevision(store, sessionId, upTo.revision, ({ seq }) => seq >= first);
  const docs: ParkedDelivery[] = [];
  for await (const event of store.read(deliveryStream(sessionId), { from })) {
    const { id, type, metadata, revision } = placed(event);
    if (revision > upTo.revision) break;
    const error = isDelivered(type) ? reasonOf(parked, metadata.seq) : undefined;
    if (error === undefined || !isDelivered(type)) continue;
    const { seq, at } = metadata;
    docs.push({ seq, id, type: deliveredTypes[type], created: new Date(at).toISOString(), error });
    if (docs.length === limit || nextParked(parked, seq + 1) === undefined) break;
  }
  return docs;
}
