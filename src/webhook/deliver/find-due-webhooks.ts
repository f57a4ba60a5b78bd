import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { webhooksOf } from '../places/active-webhooks.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { deliveryPrefix } from '../stream/delivery-events.ts';
import { outboxCodec } from '../stream/outbox-codec.ts';
import { type OutboxProgress, outboxPrefix, outboxStream } from '../stream/outbox-progress.ts';
import { countOf } from '../stream/place-marks.ts';

interface FindDueDeps {
  store: Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get'>;
}

/** A webhook of a session. */
interface DueWebhook {
  sessionId: string;
  slot: number;
}

type Saved = Pick<OutboxProgress, 'since' | 'upTo'>;

/** The webhooks that may have pending deliveries. @throws {StoreUnavailableError} */
export async function findDueWebhooks({ store, views }: FindDueDeps): Promise<DueWebhook[]> {
  /** The progress of those that no chat and no replay holds up, by their streams; absent if it cannot be read. */
  const saved = new Map<string, Saved>();
  for await (const recorded of store.lastOfEach(outboxPrefix)) {
    const progress = outboxCodec.decode(recorded);
    if (isUnreadable(progress) || progress.type !== 'OutboxMoved') continue;
    const { since, upTo, chats, replay } = progress.data;
    if (Object.keys(chats).length > 0 || replay !== undefined) continue;
    saved.set(progress.stream, { since, upTo });
  }
  const due: DueWebhook[] = [];
  for await (const recorded of store.lastOfEach(deliveryPrefix)) {
    const sessionId = recorded.stream.slice(deliveryPrefix.length);
    const event = deliveryCodec.decode(recorded);
    const view = views.get(sessionId);
    for (const { slot, since, key } of view === undefined ? [] : webhooksOf(view)) {
      const done = doneOf(saved.get(outboxStream(sessionId, slot)), since);
      // The outbox reads the events before an unreadable one.
      if (isUnreadable(event) || countOf(event, key) > done) due.push({ sessionId, slot });
    }
  }
  return due;
}

/** How many events of the webhook are done. */
function doneOf(saved: Saved | undefined, since: number): number {
  if (saved === undefined || saved.since !== since) return 0;
  return saved.upTo.count ?? saved.upTo.seq;
}
