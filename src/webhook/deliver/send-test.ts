import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Randomness } from '../../../actors/ports/clock.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import { payloadSession, testPayload } from '../payload/payload-of.ts';
import type { ActiveWebhook } from '../places/active-webhooks.ts';
import { postDelivery, type SendDeps, send } from './attempt.ts';
import { signDelivery } from './sign-delivery.ts';
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
  const fail = (error: string): TestOutcome => ({ id, delivered: false, status: 0, error });
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
  return testOutcome(id, outcome);
}

/** Sends a test to an operators' webhook (EV2). @param turns in which names are looked up @throws the signal's reason */
export async function sendOperatorTest(
  deps: SendDeps & Pick<SendTestDeps, 'random'>,
  turns: string,
  { url, token }: Pick<WebhookEndpoint, 'url' | 'token'>,
  signal: LightAbortSignal,
): Promise<TestOutcome> {
  const id = deps.random.uuid();
  const now = deps.clock.now();
  const body = JSON.stringify(testPayload(payloadSession('', ''), id, now));
  const headers = signDelivery(token, id, now, body);
  return testOutcome(id, await postDelivery(deps, { sessionId: turns, of: '', url, body, headers }, signal));
}

function testOutcome(id: string, outcome: Awaited<ReturnType<typeof send>>): TestOutcome {
  if (outcome.kind !== 'delivered') return { id, delivered: false, status: outcome.status, error: outcome.error };
  return { id, delivered: true, status: outcome.status, error: '' };
}
