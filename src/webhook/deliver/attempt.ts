import { GateFullError } from '../../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import {
  isUnreadable,
  type ReportUnreadable,
  UnreadableEventError,
  type UnreadableReason,
} from '../../../actors/ports/event-codec.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { BrokenSealError, type Sealer } from '../../../actors/ports/sealer.ts';
import type { MediaLinks } from '../../media/links/media-link.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { payloadOf, payloadSession } from '../payload/payload-of.ts';
import type { Payload } from '../payload/payloads.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';
import { answeredWith, unreadableError } from '../stream/attempt-errors.ts';
import { deliveryCodec } from '../stream/delivery-codec.ts';
import { deliveryStream, isDelivered, type PlacedEvent } from '../stream/delivery-events.ts';
import { markOf } from '../stream/place-marks.ts';
import type { Due } from './chat-queues.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { SameTurn } from './same-turn.ts';
import { signDelivery } from './sign-delivery.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** WH4: until the header of the response. */
const responseTimeoutMs = 10_000;
const goneStatus = 410;

/** Dependencies of a request to an endpoint. */
export interface SendDeps {
  outbound: Pick<Outbound, 'post'>;
  clock: Clock;
}

export interface AttemptDeps extends SendDeps {
  store: Pick<EventStore, 'read'>;
  /** Asked at once before each attempt. Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  sealer: Pick<Sealer, 'open' | 'openCached'>;
  mediaLinks: Pick<MediaLinks, 'link'>;
  reportUnreadable: ReportUnreadable;
  /** Shared by all attempts. */
  sameTurn: SameTurn;
}

/** The outcome of an attempt. */
export type AttemptOutcome =
  | { kind: 'delivered'; status: number }
  | { kind: 'failed'; status: number; error: string; retryAfterMs?: number | undefined }
  /** The endpoint responded with 410: it never accepts deliveries again. */
  | { kind: 'gone'; status: number; error: string }
  /** It can never be sent: its content cannot be opened, or gives no payload. */
  | { kind: 'undeliverable'; error: string }
  /** No content is left: the event has been removed, or the session's key destroyed. */
  | { kind: 'nothing' };

type SendOutcome = Exclude<AttemptOutcome, { kind: 'undeliverable' | 'nothing' }>;

/** Sends one delivery. @throws {StoreUnavailableError} {@link NotOwnerError} @throws the signal's reason */
export async function attempt(
  deps: AttemptDeps,
  webhook: ActiveWebhook,
  endpoint: WebhookEndpoint,
  due: Due,
  signal: LightAbortSignal,
): Promise<AttemptOutcome> {
  const { sessionId, key } = webhook;
  let request: DeliveryRequest;
  try {
    const { sealer } = deps;
    const event = due.event ?? (await eventAt(deps.store, sessionId, due.revision));
    if (event === undefined || !isDelivered(event.type) || !('content' in event.data)) return { kind: 'nothing' };
    const sealed = event.data.content;
    // An await costs turns of the event loop: values in memory are not awaited.
    const content = sealer.openCached(sessionId, sealed) ?? (await sealer.open(sessionId, sealed));
    if (content === undefined) return { kind: 'nothing' };
    const payload = payloadOf(
      payloadSession(sessionId, endpoint.generatedId, endpoint.externalId),
      event,
      { type: event.type, content: JSON.parse(content) },
      markOf(event, key)?.[0] ?? 0,
      (account, ref, ext) => deps.mediaLinks.link(sessionId, account, ref, ext),
    );
    request = requestOf(webhook, endpoint, payload, deps.clock.now());
  } catch (error) {
    const reason = unreadableReason(error);
    if (reason === undefined) throw error;
    await report(deps, sessionId, due.revision, reason);
    return { kind: 'undeliverable', error: unreadableError(reason) };
  }
  // Requests sent back to back wake their endpoint once.
  await deps.sameTurn.wait();
  mustOwn(deps.ownership ?? soleOwner, sessionId);
  // Awaited here: returning the promise takes two more turns.
  return await postDelivery(deps, request, signal);
}

/** @throws the signal's reason */
export function send(
  deps: SendDeps,
  webhook: ActiveWebhook,
  endpoint: WebhookEndpoint,
  payload: Payload,
  signal: LightAbortSignal,
): Promise<SendOutcome> {
  return postDelivery(deps, requestOf(webhook, endpoint, payload, deps.clock.now()), signal);
}

/** Why the event, or what is sealed in it, cannot be read; undefined if the error is about something else. */
function unreadableReason(error: unknown): UnreadableReason | undefined {
  if (isRetryable(error)) return undefined;
  // Of the vault: the session is held until a start can read it (FA7).
  if (error instanceof UnreadableEventError)
    return error.unreadable.kind === 'delivery' ? error.unreadable.reason : undefined;
  return error instanceof BrokenSealError ? 'broken-seal' : 'wrong-shape';
}

interface DeliveryRequest {
  sessionId: string;
  /** Its webhook takes turns with the session's others in looking names up. */
  of: string;
  url: string;
  body: string;
  headers: Record<string, string>;
}

function requestOf(
  { sessionId, slot }: ActiveWebhook,
  { url, token }: WebhookEndpoint,
  payload: Payload,
  now: number,
): DeliveryRequest {
  const body = JSON.stringify(payload);
  return { sessionId, of: String(slot), url, body, headers: signDelivery(token, payload.id, now, body) };
}

/** Posts a request that is ready. @throws the signal's reason */
export async function postDelivery(
  { outbound, clock }: SendDeps,
  { sessionId, of, url, body, headers }: DeliveryRequest,
  signal: LightAbortSignal,
): Promise<SendOutcome> {
  try {
    const options = { sessionId, of, body, headers, timeoutMs: responseTimeoutMs, signal };
    const { status, retryAfter } = await outbound.post(url, options);
    if (status >= 200 && status < 300) return { kind: 'delivered', status };
    const error = answeredWith(status);
    if (status === goneStatus) return { kind: 'gone', status, error };
    return { kind: 'failed', status, error, retryAfterMs: parseRetryAfter(retryAfter, clock.now()) };
  } catch (error) {
    signal.throwIfAborted();
    // Otherwise the token or the URL is not valid in HTTP.
    const message =
      error instanceof OutboundError || error instanceof GateFullError
        ? error.message
        : 'it could not be asked in proper HTTP';
    return { kind: 'failed', status: 0, error: message };
  }
}

/** @throws {StoreUnavailableError} {@link UnreadableEventError} */
async function eventAt(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  revision: number,
): Promise<PlacedEvent | undefined> {
  for await (const recorded of store.read(deliveryStream(sessionId), { from: revision, limit: 1 })) {
    if (recorded.revision !== revision) break;
    const event = deliveryCodec.decode(recorded);
    if (isUnreadable(event)) throw new UnreadableEventError(event);
    return event;
  }
  return undefined;
}

/** @throws {StoreUnavailableError} */
async function report(
  { store, reportUnreadable }: AttemptDeps,
  sessionId: string,
  revision: number,
  reason: UnreadableReason,
): Promise<void> {
  const stream = deliveryStream(sessionId);
  for await (const { position } of store.read(stream, { from: revision, limit: 1 })) {
    reportUnreadable({ kind: 'delivery', stream, revision, position, reason });
  }
}
