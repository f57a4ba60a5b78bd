import type { DeliveryEvent } from '../stream/delivery-events.ts';

/** Well below what a KurrentDB server takes in one append if it has not been told else (1 MiB). */
const mostBytes = 700_000;
/** So that nobody else's appends wait long. */
const mostEvents = 1_000;
/** Around the texts of an event, in the store's own form. */
const overheadBytes = 600;

/** Parts events, in their order, so that each part can be one append. There is always one, even of no events. */
export function deliveryBatches(events: readonly DeliveryEvent[]): DeliveryEvent[][] {
  let batch: DeliveryEvent[] = [];
  const batches = [batch];
  let bytes = 0;
  for (const event of events) {
    const size = overheadBytes + JSON.stringify([event.data, event.metadata]).length;
    if (batch.length > 0 && (bytes + size > mostBytes || batch.length >= mostEvents)) {
      batch = [];
      batches.push(batch);
      bytes = 0;
    }
    batch.push(event);
    bytes += size;
  }
  return batches;
}
