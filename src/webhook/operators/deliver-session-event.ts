import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { LruMap } from '../../../actors/kit/lru-map.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
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
  /** Asked for the webhook at once before each attempt. Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  views: Pick<SessionViews, 'get'>;
  reportUnreadable: ReportUnreadable;
}

/** The number of the last event that is done, by the streams of sessions. */
export type Known = LruMap<string, number>;

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

/** Whether the webhook may be told of a session at all. */
export function isToldOf(
  { views }: Pick<DeliverSessionEventDeps, 'views'>,
  { tenant }: OperatorWebhook,
  sessionId: string,
): boolean {
  const view = views.get(sessionId);
  return view !== undefined && (tenant === undefined || view.tenant === tenant);
}

/**
 * The events of a range of a session's log of which the webhook is told.
 * @throws {StoreUnavailableError}
 */
export async function* wantedEvents(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  sessionId: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<WantedEvent, void> {
  for await (const recorded of deps.store.read(sessionStream(sessionId), { from, limit: to - from + 1 })) {
    if (recorded.revision > to) return;
    const event = sessionCodec.decode(recorded);
    if (isUnreadable(event)) {
      deps.reportUnreadable(event);
      continue;
    }
    const wanted = wantedEvent(deps, webhook, event);
    if (wanted !== undefined) yield wanted;
  }
}

/** The first of {@link wantedEvents}; undefined if there is none any more. @throws {StoreUnavailableError} */
export async function firstWanted(...of: Parameters<typeof wantedEvents>): Promise<WantedEvent | undefined> {
  for await (const wanted of wantedEvents(...of)) return wanted;
  return undefined;
}

/**
 * The number of the event before one of which the webhook is told; 0 if there is none.
 * @param known for an event that comes after all that are done
 * @throws {StoreUnavailableError}
 */
async function previousOf(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  { stream, revision }: RecordedSessionEvent,
  known: Known | undefined,
): Promise<number> {
  const last = known?.get(stream);
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

/** Sends one event. @throws {StoreUnavailableError} {@link NotOwnerError} @throws the signal's reason */
export async function deliverSessionEvent(
  deps: DeliverSessionEventDeps,
  webhook: OperatorWebhook,
  { url, token }: OperatorEndpoint,
  { event, told }: WantedEvent,
  known: Known | undefined,
  signal: LightAbortSignal,
): Promise<AttemptOutcome> {
  const sessionId = sessionIdOf(event.stream);
  const previous = await previousOf(deps, webhook, event, known);
  // Nothing personal: neither the account nor what it is called.
  const session = payloadSession(sessionId, '', deps.views.get(sessionId)?.externalId);
  const body = JSON.stringify(sessionPayload(session, event, told, previous));
  const headers = signDelivery(token, event.id, deps.clock.now(), body);
  mustOwn(deps.ownership ?? soleOwner, webhook.id);
  return postDelivery(deps, { sessionId: placeStream(webhook.id), of: '', url, body, headers }, signal);
}
