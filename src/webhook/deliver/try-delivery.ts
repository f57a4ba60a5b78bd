import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import type { Log } from '../../../actors/ports/log.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';
import { type AttemptDeps, type AttemptOutcome, attempt } from './attempt.ts';
import type { Due } from './chat-queues.ts';
import { patienceMs } from './retry-schedule.ts';
import { type EndpointOf, UnreadableEndpointError } from './webhook-endpoint.ts';

/** After the store has failed, or another process may act for the session. */
const storeRetryMs = 1_000;

export interface TryDeliveryDeps extends AttemptDeps {
  log: Log;
  /** For what is retried. */
  retryLog: Log;
}

/** The result of {@link tryDelivery}. */
export type TriedOutcome =
  | AttemptOutcome
  /** No attempt was possible; the chat waits this long. */
  | { kind: 'put-off'; forMs: number };

/** Makes an attempt to deliver to the webhook. Undefined if the signal has aborted it. Never rejects. */
export async function tryDelivery(
  deps: TryDeliveryDeps,
  endpointOf: EndpointOf,
  webhook: ActiveWebhook,
  due: Due,
  signal: LightAbortSignal,
): Promise<TriedOutcome | undefined> {
  const { sameTurn, log, retryLog } = deps;
  try {
    const endpoint = endpointOf.openEndpoint(webhook) ?? (await endpointOf.get(webhook));
    // The session has been deleted: its view's change ends the outbox.
    if (endpoint === undefined) return { kind: 'put-off', forMs: patienceMs };
    const outcome = await attempt(deps, webhook, endpoint, due, signal);
    await sameTurn.wait();
    return outcome;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof UnreadableEndpointError) return { kind: 'failed', status: 0, error: error.message };
    // If another process may act for the session, this outbox ends in a moment.
    if (isRetryable(error)) {
      retryLog.warn({ session: webhook.sessionId, err: error }, 'a delivery could not be tried yet');
      return { kind: 'put-off', forMs: storeRetryMs };
    }
    // Of the vault: the session is held until a start can read it (FA7).
    if (error instanceof UnreadableEventError) return { kind: 'put-off', forMs: patienceMs };
    log.error(
      { where: 'deliveries', session: webhook.sessionId, seq: due.seq, err: error },
      'a delivery failed by a fault of the gateway',
    );
    return { kind: 'failed', status: 0, error: 'the gateway failed' };
  }
}
