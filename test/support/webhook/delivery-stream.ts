import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import type { DeliveryFact, DeliveryMetadata } from '../../../src/webhook/stream/delivery-events.ts';

export interface StreamEvent extends Partial<DeliveryMetadata> {
  /** Default: `MessageReceived`. */
  type?: DeliveryFact;
  /** Sealed; ignored for what has no content. */
  content?: string;
}

const withoutContent: Record<string, object> = {
  RecordingStarted: {},
  UpdateDropped: { dropped: { update: 'message', reason: 'not-written' } },
};

/** Appends events to the delivery stream of a session, under the IDs `e0`, `e1`, … by their revisions. */
export async function appendDeliveries(
  store: EventStore,
  events: readonly StreamEvent[],
  sessionId = 's1',
): Promise<void> {
  const stream = `delivery-${sessionId}`;
  const last = await store.last(stream);
  let revision = (last?.revision ?? -1) + 1;
  let { seq: before = 0 } = (last?.metadata ?? {}) as { seq?: number };
  for (const { type = 'MessageReceived', content = '{}', ...given } of events) {
    const data = withoutContent[type] ?? { content };
    if (!(type in withoutContent) && type !== 'MessageSent') before += 1;
    const metadata = { at: 0, login: 1, since: 0, position: { pts: 1, qts: 0, date: 0 }, seq: before, ...given };
    await store.append(stream, 'any', [
      { id: `e${revision}`, type, data: data as Json, metadata: metadata as unknown as Json },
    ]);
    revision += 1;
  }
}
