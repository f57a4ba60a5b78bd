import type { EventStore } from '../../../actors/ports/event-store.ts';
import { type DeliveryMetadata, deliveryStream } from './delivery-events.ts';
import type { OutboxProgress } from './outbox-progress.ts';
import { deliveryFrom, findRevision, type ReadDeliveriesDeps } from './read-deliveries.ts';

/**
 * Removes finished deliveries that were recorded up to a time from a session's delivery stream; never its last event.
 * @param recordedBy milliseconds since 1970
 * @param look the progress of each webhook that is on
 * @returns the number of the first delivery that is left; undefined if none was removed
 * @throws {StoreUnavailableError}
 */
export async function trimDeliveries(
  deps: ReadDeliveriesDeps & { store: Pick<EventStore, 'last' | 'truncate'> },
  sessionId: string,
  recordedBy: number,
  look: () => Promise<readonly OutboxProgress[]>,
): Promise<number | undefined> {
  const { store } = deps;
  const isKept = ({ metadata: { at } }: { metadata: DeliveryMetadata }): boolean => at > recordedBy;
  const first = await deliveryFrom(deps, sessionId, 0);
  if (first === undefined || isKept(first)) return undefined;
  const last = await store.last(deliveryStream(sessionId));
  if (last === undefined) return undefined;
  const due = Math.min(...(await look()).map(firstDue));
  const before = Math.min(await findRevision(deps, sessionId, last.revision, isKept), due, last.revision);
  await store.truncate(deliveryStream(sessionId), before);
  return (await deliveryFrom(deps, sessionId, before))?.metadata.seq;
}

/** Revision of the first unfinished event. */
const firstDue = ({ replay, ...main }: OutboxProgress): number =>
  Math.min(
    ...[main, replay ?? main].map(({ upTo, chats }) =>
      Math.min(upTo.revision + 1, ...Object.values(chats).map(({ from }) => from)),
    ),
  );
