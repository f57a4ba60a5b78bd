import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import { deliveryCodec } from './delivery-codec.ts';
import { deliveredTypes, deliveryStream, isDelivered } from './delivery-events.ts';
import type { OutboxProgress } from './outbox-progress.ts';
import { nextParked, parkedReason } from './parked.ts';
import { findRevision, type ReadDeliveriesDeps } from './read-deliveries.ts';
import { SeqTracker } from './seq-tracker.ts';

/** A parked delivery. */
export interface ParkedDelivery {
  seq: number;
  id: string;
  /** Empty if its event cannot be read and has an unknown type. */
  type: (typeof deliveredTypes)[keyof typeof deliveredTypes] | '';
  /** When it was recorded, ISO 8601. */
  created: string;
  error: string;
}

/** In order of their numbers, those after one of them. @throws {StoreUnavailableError} */
export async function listParked(
  deps: ReadDeliveriesDeps,
  sessionId: string,
  { parked, upTo }: OutboxProgress,
  after: number,
  limit: number,
): Promise<ParkedDelivery[]> {
  const first = nextParked(parked, after + 1);
  if (first === undefined) return [];
  const from = await findRevision(deps, sessionId, upTo.revision, ({ metadata }) => metadata.seq >= first);
  const docs: ParkedDelivery[] = [];
  const numbers = new SeqTracker(first - 1);
  for await (const recorded of deps.store.read(deliveryStream(sessionId), { from })) {
    const { id, type, revision, created } = recorded;
    if (revision > upTo.revision) break;
    const event = deliveryCodec.decode(recorded);
    const seq = isUnreadable(event) ? numbers.pass(recorded) : event.metadata.seq;
    if (seq === undefined) continue;
    numbers.read(seq);
    const isOwn = isUnreadable(event) || isDelivered(type);
    const error = isOwn ? parkedReason(parked, seq) : undefined;
    if (error === undefined) continue;
    const at = isUnreadable(event) ? created : event.metadata.at;
    const deliveredType = isDelivered(type) ? deliveredTypes[type] : '';
    docs.push({ seq, id, type: deliveredType, created: new Date(at).toISOString(), error });
    if (docs.length === limit || nextParked(parked, seq + 1) === undefined) break;
  }
  return docs;
}
