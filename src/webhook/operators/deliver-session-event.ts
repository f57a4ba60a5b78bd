import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { LruMap } from '../../../actors/kit/lru-map.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { sessionIdOf, sessionStream } from '../../../actors/session/events.ts';
import { type RecordedSessionEvent, sessionCodec } from '../../../actors/session/session-codec.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { type AttemptOutcome, postDelivery, type SendDeps } from '../deliver/attempt.ts';
import { signDelivery } from '../deliver/sign-delivery.ts';
import { sessionEventOf, type ToldEvent } from '../filter/session-event.ts';
import { payloadSession, sessionPayload } from '../payload/payload-of.ts';
import { isTold, type OperatorWebhook } from './operator-webhook.ts';
import { placeStream } from './place-codec.ts';

export interface DeliverSessionEventDeps extends SendDeps {
  store: Pick<EventStore, 'read'>;
  views: Pick<SessionViews, 'get'>;
  reportUnreadable: ReportUnreadable;
}

/** An event of a session's log of which a webhook is told. */
export interface WantedEvent {
  event: RecordedSessionEvent;
  told: ToldEvent;
}

/** What the webhook is told of an event; undefined if it is not told of it. */
export function wantedEvent(
  { views }: Pick<DeliverSessionEventDeps, 'views'>,
  webhook: OperatorWebhook,
  event: RecordedSessionEvent,
): WantedEvent | undefined {
  const told = sessionEventOf(event);
  const view = views.get(sessionIdOf(event.stream));
  if (told === undefined || view === undefined || event.position <= webhook.since) return undefined;
  return isTold(webhook, told.type, view) ? { event, told } : undefined;
}

/**
 * The first event of a range of a session's log of which the webhook is told; undefined if there is none any more.
 * @throws {StoreUnavailableError}
 */
export async function firstWanted(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  sessionId: string,
  { from, to }: { from: number; to: number },
): Promise<WantedEvent | undefined> {
  for await (const recorded of deps.store.read(sessionStream(sessionId), { from, limit: to - from + 1 })) {
    if (recorded.revision > to) return undefined;
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      deps.reportUnreadable(event);
      continue;
    }
    const wanted = wantedEvent(deps, webhook, event);
    if (wanted !== undefined) return wanted;
  }
  return undefined;
}

/**
 * The number of the event before one of which the webhook is told; 0 if there is none.
 * @param known the last delivered number of each session
 * @throws {StoreUnavailableError}
 */
async function previousOf(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  { stream, revision }: RecordedSessionEvent,
  known: LruMap<string, number>,
): Promise<number> {
  const last = known.get(stream);
  if (last !== undefined && last <= revision) return last;
  if (revision === 0) return 0;
  for await (const recorded of deps.store.read(stream, { direction: 'backwards', from: revision - 1 })) {
    if (recorded.position <= webhook.since) return 0;
    const event = sessionCodec.decode(recorded);
    if (!isUnreadable(event) && wantedEvent(deps, webhook, event) !== undefined) return event.revision + 1;
  }
  return 0;
}

/** Where a webhook's requests go. */
export interface OperatorEndpoint {
  url: string;
  token: string;
}

/** Sends one event. @throws {StoreUnavailableError} @throws the signal's reason */
export async function deliverSessionEvent(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  { url, token }: OperatorEndpoint,
  { event, told }: WantedEvent,
  known: LruMap<string, number>,
  signal: LightAbortSignal,
): Promise<AttemptOutcome> {
  const sessionId = sessionIdOf(event.stream);
  const previous = await previousOf(deps, webhook, event, known);
  // Nothing personal: neither the account nor what it is called.
  const session = payloadSession(sessionId, '', deps.views.get(sessionId)?.externalId);
  const body = JSON.stringify(sessionPayload(session, event, told, previous));
  const headers = signDelivery(token, event.id, deps.clock.now(), body);
  const outcome = await postDelivery(deps, { sessionId: placeStream(webhook.id), of: '', url, body, headers }, signal);
  if (outcome.kind === 'delivered') known.set(event.stream, event.revision + 1);
  return outcome;
}
