import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import { BrokenSealError, type Sealer } from '../../../actors/ports/sealer.ts';
import type { MediaLinks } from '../../media/links/media-link.ts';
import type { Outbound } from '../../outbound/outbound.ts';
import { OutboundError } from '../../outbound/outbound-error.ts';
import { payloadOf } from '../payload/payload-of.ts';
import type { Payload } from '../payload/payloads.ts';
import { type DeliveryEvent, deliveryStream, isDelivered, placed } from '../stream/delivery-events.ts';
import type { Due } from './chat-queues.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { SameTurn } from './same-turn.ts';
import { signDelivery } from './sign-delivery.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** WH4 */
const responseTimeoutMs = 10_000;
const goneStatus = 410;

/** What a request to an endpoint takes. */
export interface SendDeps {
  outbound: Pick<Outbound, 'post'>;
  clock: Clock;
}

export interface AttemptDeps extends SendDeps {
  store: Pick<EventStore, 'read'>;
  sealer: Pick<Sealer, 'open' | 'openCached'>;
  mediaLinks: Pick<MediaLinks, 'link'>;
  /** Of all attempts. */
  gathering: SameTurn;
}

/** What an attempt came to. */
export type AttemptOutcome =
  | { kind: 'delivered'; status: number }
  | { kind: 'failed'; status: number; error: string; retryAfterMs?: number | undefined }
  /** The endpoint says that it will never take anything again. */
  | { kind: 'gone'; status: number; error: string }
  /** It can never be sent: its content does not open, or makes no payload. */
  | { kind: 'undeliverable'; error: string }
  /** There is nothing that could be sent: it has been removed, or the session's key has. */
  | { kind: 'nothing' };

type SendOutcome = Exclude<AttemptOutcome, { kind: 'undeliverable' | 'nothing' }>;

/** Sends one delivery. @throws {StoreUnavailableError} @throws the signal's reason */
export async function attempt(
  deps: AttemptDeps,
  sessionId: string,
  endpoint: WebhookEndpoint,
  due: Due,
  signal: LightAbortSignal,
): Promise<AttemptOutcome> {
  let request: DeliveryRequest;
  try {
    const { sealer } = deps;
    const event = due.event ?? (await eventAt(deps.store, sessionId, due.revision));
    const { content: sealed } = event?.data ?? {};
    // Each thing that need not be awaited spares the turns that awaiting takes.
    const content = sealed && (sealer.openCached(sessionId, sealed) ?? (await sealer.open(sessionId, sealed)));
    if (event === undefined || content === undefined || !isDelivered(event.type)) return { kind: 'nothing' };
    const payload = payloadOf(
      { id: sessionId, generatedId: endpoint.generatedId },
      event,
      { type: event.type, content: JSON.parse(content) },
      (ref, ext) => deps.mediaLinks.link(sessionId, ref, ext),
    );
    request = requestOf(endpoint, payload, deps.clock.now());
  } catch (error) {
    if (isRetryable(error)) throw error;
    return { kind: 'undeliverable', error: undeliverableReason(error) };
  }
  // Requests that go out one right after the other wake their endpoint once.
  await deps.gathering.wait();
  // Awaited here: a promise that is handed on costs two more turns.
  return await post(deps, request, signal);
}

/** @throws the signal's reason */
export function send(
  deps: SendDeps,
  endpoint: WebhookEndpoint,
  payload: Payload,
  signal: LightAbortSignal,
): Promise<SendOutcome> {
  return post(deps, requestOf(endpoint, payload, deps.clock.now()), signal);
}

/** In words of our own: the message of a `SyntaxError` quotes the content. */
const undeliverableReason = (error: unknown): string =>
  error instanceof BrokenSealError ? 'its content cannot be opened' : 'its content cannot be read';

interface DeliveryRequest {
  url: string;
  body: string;
  headers: Record<string, string>;
}

function requestOf({ url, token }: WebhookEndpoint, payload: Payload, now: number): DeliveryRequest {
  const body = JSON.stringify(payload);
  return { url, body, headers: signDelivery(token, payload.id, now, body) };
}

async function post(
  { outbound, clock }: SendDeps,
  { url, body, headers }: DeliveryRequest,
  signal: LightAbortSignal,
): Promise<SendOutcome> {
  try {
    const { status, retryAfter } = await outbound.post(url, { body, headers, timeoutMs: responseTimeoutMs, signal });
    if (status >= 200 && status < 300) return { kind: 'delivered', status };
    const error = `it answered with status ${status}`;
    if (status === goneStatus) return { kind: 'gone', status, error };
    return { kind: 'failed', status, error, retryAfterMs: parseRetryAfter(retryAfter, clock.now()) };
  } catch (error) {
    signal.throwIfAborted();
    // Anything else is a token or a URL that HTTP has no form for.
    const message = error instanceof OutboundError ? error.message : 'it could not be asked in proper HTTP';
    return { kind: 'failed', status: 0, error: message };
  }
}

async function eventAt(
  store: Pick<EventStore, 'read'>,
  sessionId: string,
  revision: number,
): Promise<DeliveryEvent | undefined> {
  for await (const event of store.read(deliveryStream(sessionId), { from: revision, limit: 1 })) {
    return event.revision === revision ? placed(event) : undefined;
  }
  return undefined;
}
