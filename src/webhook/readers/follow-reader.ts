import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import type { MediaLinks } from '../../media/links/media-link.ts';
import { payloadOf, payloadSession } from '../payload/payload-of.ts';
import type { Payload } from '../payload/payloads.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import { isDelivered } from '../stream/delivery-events.ts';
import { isWantedBy, markOf } from '../stream/place-marks.ts';
import {
  deliveryFrom,
  endOfDeliveries,
  findRevision,
  type ReadDeliveriesDeps,
  readDeliveries,
} from '../stream/read-deliveries.ts';
import type { ConnectedReader } from './connected-reader.ts';
import type { Reader } from './reader-book.ts';

/** Events of one read: few, so that a reader that is slow holds little. */
const pageEvents = 16;

export interface FollowReaderDeps extends ReadDeliveriesDeps {
  store: Pick<EventStore, 'last' | 'read'>;
  sealer: Pick<Sealer, 'open'>;
  views: Pick<SessionViews, 'get'>;
  mediaLinks: Pick<MediaLinks, 'link'>;
}

/**
 * The envelopes of what a reader wants, each once and in order, from its place on. A
 * wake-up only triggers a read by revision. Ends with the connection, and with the session.
 * @throws {StoreUnavailableError}
 */
export async function* followReader(
  deps: FollowReaderDeps,
  sessionId: string,
  { key, stored: { place } }: Reader,
  connection: ConnectedReader,
): AsyncGenerator<Payload, void> {
  const end = await endOfDeliveries(deps, sessionId);
  const from = Math.min(place, end?.seq ?? 0);
  const isAfter = ({ metadata: { seq } }: Pick<RecordedDelivery, 'metadata'>): boolean => seq > from;
  let next = await findRevision(deps, sessionId, end?.revision ?? -1, isAfter);
  while (!connection.isOver) {
    let count = 0;
    for await (const event of readDeliveries(deps, sessionId, { from: next, limit: pageEvents })) {
      if (connection.isOver) return;
      next = event.revision + 1;
      count += 1;
      const payload = isAfter(event) && isWantedBy(event, key) ? await opened(deps, sessionId, event, key) : undefined;
      if (payload !== undefined) yield payload;
    }
    const view = deps.views.get(sessionId);
    if (view === undefined || view.ended) return;
    if (count > 0) continue;
    // What cannot be read may fill a page.
    const later = await deliveryFrom(deps, sessionId, next);
    if (later === undefined) await connection.rung();
    else next = later.revision;
  }
}

/** Undefined if it has no content that can be read: the next event's `previous` shows that it is missing. */
async function opened(
  deps: FollowReaderDeps,
  sessionId: string,
  event: RecordedDelivery,
  key: string,
): Promise<Payload | undefined> {
  const view = deps.views.get(sessionId);
  if (view === undefined || !isDelivered(event.type) || !('content' in event.data)) return undefined;
  try {
    const content = await deps.sealer.open(sessionId, event.data.content);
    if (content === undefined) return undefined;
    return payloadOf(
      payloadSession(sessionId, await accountOf(deps, view), view.externalId),
      event,
      { type: event.type, content: JSON.parse(content) },
      markOf(event, key)?.[0] ?? 0,
      (account, ref, ext) => deps.mediaLinks.link(sessionId, account, ref, ext),
    );
  } catch (error) {
    if (isRetryable(error) || error instanceof UnreadableEventError) throw error;
    const { stream, revision, position } = event;
    deps.reportUnreadable({ kind: 'delivery', stream, revision, position, reason: 'broken-seal' });
    return undefined;
  }
}

async function accountOf(deps: FollowReaderDeps, { id, account }: SessionView): Promise<string> {
  const text = account && (await deps.sealer.open(id, account));
  return text === undefined ? '' : (JSON.parse(text) as Account).id;
}
