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
import {
  type DeliveredFact,
  type DeliveryContent,
  type DeliveryEvent,
  deliveryStream,
  isDelivered,
  placed,
} from '../stream/delivery-events.ts';
import type { Due } from './chat-queues.ts';
import { parseRetryAfter } from './retry-schedule.ts';
import type { SameTurn } from './same-turn.ts';
import { signDelivery } from './sign-delivery.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

/** WH4 */
const answerTimeoutMs = 10_000;
const goneStatus = 410;

export interface AttemptDeps {
  store: Pick<EventStore, 'read'>;
  sealer: Pick<Sealer, 'open' | 'openCached'>;
  outbound: Pick<Outbound, 'post'>;
  mediaLinks: Pick<MediaLinks, 'link'>;
  clock: Clock;
  /** Of all attempts. */
  gathering: SameTurn;
}

/** What an attempt came to. */
export type AttemptOutcome =
  | { kind: 'delivered'; status: number }
  | { kind: 'failed'; status: number; error: string; retryAfterMs?: number | undefined }
  /** The receiver says that it will never take anything again. */
  | { kind: 'gone'; status: number; error: string }
  /** It can never be sent: its content does not open, or makes no payload. */
  | { kind: 'undeliverable'; error: string }
  /** There is nothing that could be sent: it has been removed, or the session's key has. */
  | { kind: 'nothing' };

type Answered = Exclude<AttemptOutcome, { kind: 'undeliverable' | 'nothing' }>;

/** Sends one delivery. @throws {StoreUnavailableError} @throws the signal's reason */
export async function attempt(
  parts: AttemptDeps,
  sessionId: string,
  receiver: WebhookEndpoint,
  due: Due,
  signal: LightAbortSignal,
): Promise<AttemptOutcome> {
  let request: DeliveryRequest;
  try {
    const { sealer } = parts;
    const event = due.event ?? (await eventAt(parts.store, sessionId, due.revision));
    const { content: sealed } = event?.data ?? {};
    // Each thing that need not be awaited spares the turns that awaiting takes.
    const content = sealed && (sealer.openCached(sessionId, sealed) ?? (await sealer.open(sessionId, sealed)));
    if (event === undefined || content === undefined || !isDelivered(event.type)) return { kind: 'nothing' };
    const payload = payloadOf(
      { id: sessionId, generatedId: receiver.generatedId },
      event as DeliveryEvent & { type: DeliveredFact },
      JSON.parse(content) as DeliveryContent[DeliveredFact],
      (ref, ext) => parts.mediaLinks.link(sessionId, ref, ext),
    );
    request = requestOf(receiver, payload, parts.clock.now());
  } catch (error) {
    if (isRetryable(error)) throw error;
    return { kind: 'undeliverable', error: undeliverableReason(error) };
  }
  // Those that go out one right after the other wake their receiver once.
  await parts.gathering.wait();
  // Awaited here: a promise that is handed on costs two more turns.
  return await ask(parts, request, signal);
}

/** @throws the signal's reason */
export function send(
  parts: Pick<AttemptDeps, 'outbound' | 'clock'>,
  receiver: WebhookEndpoint,
  payload: Payload,
  signal: LightAbortSignal,
): Promise<Answered> {
  return ask(parts, requestOf(receiver, payload, parts.clock.now()), signal);
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

async function ask(
  { outbound, clock }: Pick<AttemptDeps, 'outbound' | 'clock'>,
  { url, body, headers }: DeliveryRequest,
  signal: LightAbortSignal,
): Promise<Answered> {
  try {
    const { status, retryAfter } = await outbound.post(url, { body, headers, timeoutMs: answerTimeoutMs, signal });
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
