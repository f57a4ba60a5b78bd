import { mapConcurrent } from '../../../actors/kit/map-concurrent.ts';
import { inTurns } from '../../../actors/kit/next-turn.ts';
import { isUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { deliveryPrefix, deliveryStream } from '../stream/delivery-events.ts';
import { outboxCodec } from '../stream/outbox-codec.ts';
import { type OutboxProgress, outboxPrefix, outboxStream } from '../stream/outbox-progress.ts';
import { countOf } from '../stream/place-marks.ts';
import { type ActiveWebhook, webhooksIn, webhooksOf } from './active-webhooks.ts';

interface FindDueDeps {
  store: Pick<EventStore, 'lastOfEach'>;
  views: Pick<SessionViews, 'get'>;
}

/** A webhook of a session. */
interface DueWebhook {
  sessionId: string;
  slot: number;
}

/** Sessions of a partition that are read at the same time. */
const readsAtOnce = 64;
/** Views that are read in a turn of the event loop: about 3 ms. */
const viewsPerTurn = 50;

type Saved = Pick<OutboxProgress, 'since' | 'upTo'>;

/** The webhooks that may have pending deliveries. @throws {StoreUnavailableError} */
export async function findDueWebhooks({ store, views }: FindDueDeps): Promise<DueWebhook[]> {
  /** The progress of those that no chat and no replay holds up, by their streams; absent if it cannot be read. */
  const saved = new Map<string, Saved>();
  for await (const recorded of store.lastOfEach(outboxPrefix)) {
    const progress = savedOf(recorded);
    if (progress !== undefined) saved.set(recorded.stream, progress);
  }
  const due: DueWebhook[] = [];
  for await (const recorded of store.lastOfEach(deliveryPrefix)) {
    const sessionId = recorded.stream.slice(deliveryPrefix.length);
    const view = views.get(sessionId);
    for (const webhook of view === undefined ? [] : webhooksOf(view)) {
      const { slot } = webhook;
      if (isDue(recorded, webhook, saved.get(outboxStream(sessionId, slot)))) due.push({ sessionId, slot });
    }
  }
  return due;
}

/** As {@link findDueWebhooks}, of these sessions alone: each is read by itself. @throws {StoreUnavailableError} */
export async function findDueWebhooksOf(
  { store, views }: { store: Pick<EventStore, 'last'>; views: Pick<SessionViews, 'get'> },
  sessionIds: readonly string[],
): Promise<DueWebhook[]> {
  // Without the rest of their views: there may be 100,000.
  const active: { sessionId: string; webhooks: Pick<ActiveWebhook, 'slot' | 'since' | 'key'>[] }[] = [];
  for await (const sessionId of inTurns(sessionIds, viewsPerTurn)) {
    const webhooks = webhooksIn(views.get(sessionId)).map(({ slot, since, key }) => ({ slot, since, key }));
    if (webhooks.length > 0) active.push({ sessionId, webhooks });
  }
  const found = await mapConcurrent(active, readsAtOnce, async ({ sessionId, webhooks }) => {
    const last = await store.last(deliveryStream(sessionId));
    const due: DueWebhook[] = [];
    for (const webhook of last === undefined ? [] : webhooks) {
      const { slot } = webhook;
      const saved = await store.last(outboxStream(sessionId, slot));
      if (last !== undefined && isDue(last, webhook, saved && savedOf(saved))) due.push({ sessionId, slot });
    }
    return due;
  });
  return found.flat();
}

/** The progress of a webhook that no chat and no replay holds up; undefined if there is none, or it cannot be read. */
function savedOf(recorded: RecordedEvent): Saved | undefined {
  const progress = outboxCodec.decode(recorded);
  if (isUnreadable(progress) || progress.type !== 'OutboxMoved') return undefined;
  const { since, upTo, chats, replay } = progress.data;
  return Object.keys(chats).length > 0 || replay !== undefined ? undefined : { since, upTo };
}

/** @param last of the session's delivery stream: the outbox reads the events before an unreadable one */
function isDue(
  last: RecordedEvent,
  { since, key }: Pick<ActiveWebhook, 'since' | 'key'>,
  saved: Saved | undefined,
): boolean {
  const event = deliveryCodec.decode(last);
  return isUnreadable(event) || countOf(event, key) > doneOf(saved, since);
}

/** How many events of the webhook are done. */
function doneOf(saved: Saved | undefined, since: number): number {
  if (saved === undefined || saved.since !== since) return 0;
  return saved.upTo.count ?? saved.upTo.seq;
}
