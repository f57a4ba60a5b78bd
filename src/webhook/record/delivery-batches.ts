/** Well below the default limit of one append to a KurrentDB server (1 MiB). */
const maxBytes = 700_000;
/** So that other streams' appends do not wait long for this one. */
const maxEvents = 1_000;

/** Splits events, in their order, into batches that each fit into one append. There is always one, even of no event. */
export function deliveryBatches<Event extends { bytes: number }>(events: readonly Event[]): Event[][] {
  let batch: Event[] = [];
  const batches = [batch];
  let bytes = 0;
  for (const event of events) {
    if (batch.length > 0 && (bytes + event.bytes > maxBytes || batch.length >= maxEvents)) {
      batch = [];
      batches.push(batch);
      bytes = 0;
    }
    batch.push(event);
    bytes += event.bytes;
  }
  return batches;
}
