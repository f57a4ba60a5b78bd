import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import type { SessionView, SessionViews } from '../../../projections/session-view.ts';
import type { MediaLinks } from '../../media/links/media-link.ts';
import { payloadOf, payloadSession } from '../payload/payload-of.ts';
import type { Payload } from '../payload/payloads.ts';
import type { RecordedDelivery } from '../stream/delivery-codec.ts';
import { isDelivered } from '../stream/delivery-events.ts';
import { markOf } from '../stream/place-marks.ts';
import type { ReadDeliveriesDeps } from '../stream/read-deliveries.ts';

export interface OpenEnvelopeDeps extends Pick<ReadDeliveriesDeps, 'reportUnreadable'> {
  sealer: Pick<Sealer, 'open'>;
  views: Pick<SessionViews, 'get'>;
  mediaLinks: Pick<MediaLinks, 'link'>;
}

/**
 * The envelope of an event as its receiver gets it. Undefined if it has no content that can be read.
 * @param key of the receiver's place
 * @throws {StoreUnavailableError} {@link UnreadableEventError} of the vault
 */
export async function openEnvelope(
  deps: OpenEnvelopeDeps,
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
      payloadSession(sessionId, await accountIdOf(deps, view), view.externalId),
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

/** User ID of the session's account, empty if it has none. @throws {StoreUnavailableError} */
export async function accountIdOf(deps: OpenEnvelopeDeps, { id, account }: SessionView): Promise<string> {
  const text = account && (await deps.sealer.open(id, account));
  return text === undefined ? '' : (JSON.parse(text) as Account).id;
}
