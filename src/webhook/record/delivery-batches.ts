/** Well below the default limit of one append to a KurrentDB server (1 MiB). */
const maxBytes = 700_000;
/** Limits how long other streams' appends wait for this one. */
const maxEvents = 1_000;

/** Splits events, in their order, into batches that each fit into one append. Returns at least one, even without events. */
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
