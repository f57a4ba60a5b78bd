import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import { payloadSession, testPayload } from '../payload/payload-of.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';
import { type SendDeps, send } from './attempt.ts';
import { EndpointOf, UnreadableEndpointError, type WebhookEndpoint } from './webhook-endpoint.ts';

export interface TestOutcome {
  id: string;
  delivered: boolean;
  /** Status of the endpoint's response; 0 without one. */
  status: number;
  error: string;
}

export interface SendTestDeps extends SendDeps {
  sealer: Pick<Sealer, 'open'>;
  random: Pick<Randomness, 'uuid'>;
}

/** Sends a test to the webhook (WH1). @throws {StoreUnavailableError} @throws the signal's reason */
export async function sendTest(
  deps: SendTestDeps,
  webhook: ActiveWebhook,
  signal: LightAbortSignal,
): Promise<TestOutcome> {
  const id = deps.random.uuid();
  const fail = (error: string, status = 0): TestOutcome => ({ id, delivered: false, status, error });
  let endpoint: WebhookEndpoint | undefined;
  try {
    endpoint = await new EndpointOf(deps.sealer).get(webhook);
  } catch (error) {
    if (error instanceof UnreadableEndpointError) return fail(error.message);
    throw error;
  }
  if (endpoint === undefined) return fail('webhook is off');
  const session = payloadSession(webhook.sessionId, endpoint.generatedId, endpoint.externalId);
  const outcome = await send(deps, webhook, endpoint, testPayload(session, id, deps.clock.now()), signal);
  if (outcome.kind !== 'delivered') return fail(outcome.error, outcome.status);
  return { id, delivered: true, status: outcome.status, error: '' };
}
