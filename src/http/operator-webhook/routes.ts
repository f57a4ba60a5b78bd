import type { Randomness } from '../../../actors/ports/clock.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { operatorEventTypes } from '../../webhook/filter/event-filter.ts';
import {
  maxReplayedSessions,
  type OperatorReplay,
  TooManyReplayedError,
  UntoldSessionError,
} from '../../webhook/operators/operator-replay.ts';
import type { OperatorWebhook } from '../../webhook/operators/operator-webhook.ts';
import { operatorWebhookStream } from '../../webhook/operators/webhook-events.ts';
import type { Caller } from '../access/caller.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import type { PassToOwner } from '../nodes/pass-to-owner.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readWritesOf } from '../shared/read-your-writes.ts';
import { checkRange } from '../webhook/delivery-routes.ts';
import type { ReplayResponse, WebhookTest } from '../webhook/schemas.ts';
import { statusObject } from '../webhook/webhook-object.ts';
import {
  type NewOperatorWebhook,
  type OperatorParkedEvents,
  OperatorReplayBody,
  OperatorWebhookBody,
  OperatorWebhookParams,
  type OperatorWebhookSchema,
} from './schemas.ts';

type Deps = Pick<AppDeps, 'operatorWebhooks' | 'randomness' | 'store' | 'hops'>;

/** EV2: as a session has. */
const maxWebhooks = 5;
const tokenBytes = 24;

const path = '/webhooks/:webhookId';

/** `/webhooks` (EV2), with a key of the scope `sessions:read`; one with a tenant sees the webhooks of its tenant alone. */
export function operatorWebhookRoutes(app: App, deps: Deps, passTo: PassToOwner): void {
  void app.register(async (group: App) => {
    scopeOfGroup(group, 'sessions:read');
    // A webhook has an owner, as a session has.
    group.addHook(
      'onRequest',
      passTo(({ params }) => (params as { webhookId?: string }).webhookId),
    );
    addRoutes(group, deps);
  });
}

function addRoutes(app: App, deps: Deps): void {
  const { operatorWebhooks: webhooks, randomness, hops } = deps;
  const shown = (webhook: OperatorWebhook, status = statusObject(webhooks.status(webhook))): OperatorWebhookSchema => {
    const { id, events, tenant = '', created, by } = webhook;
    const { url } = webhooks.book.endpointOf(webhook);
    const settings = { url, events: events as OperatorWebhookSchema['events'], tenant, created: iso(created), by };
    return { id, ...settings, paused: webhooks.isPaused(webhook), ...status };
  };
  /** @throws {GatewayError} 404 */
  const named = (caller: Caller, { webhookId }: { webhookId: string }): OperatorWebhook => {
    const webhook = webhooks.book.get(webhookId);
    if (webhook === undefined || !sees(caller, webhook)) throw notFound();
    return webhook;
  };
  const visible = (caller: Caller): OperatorWebhook[] => webhooks.book.list().filter((one) => sees(caller, one));

  app.post(
    '/webhooks',
    { schema: { body: OperatorWebhookBody } },
    async ({ caller, body }): Promise<NewOperatorWebhook> => {
      const { tenant } = caller.powers;
      const wish = wishOf(body, caller);
      const endpoint = { url: body.url, token: body.token || newToken(randomness) };
      const webhook = await webhooks.add({ ...wish, endpoint }, tenant, caller.name, () => {
        const own = webhooks.book.list().filter((one) => one.tenant === tenant);
        if (own.length >= maxWebhooks) throw new GatewayError(400, `there are up to ${maxWebhooks} webhooks`);
      });
      await readWritesOf(deps, operatorWebhookStream(webhook.id));
      return { ...shown(webhook), token: endpoint.token };
    },
  );

  app.get('/webhooks', async ({ caller }): Promise<{ docs: OperatorWebhookSchema[] }> => {
    const all = visible(caller);
    // Each is delivered to by one node.
    const elsewhere = await hops?.webhookStatuses(all.map(({ id }) => id));
    return { docs: all.map((webhook) => shown(webhook, elsewhere?.get(webhook.id))) };
  });

  app.get(path, { schema: { params: OperatorWebhookParams } }, ({ caller, params }) => shown(named(caller, params)));

  app.put(
    path,
    { schema: { params: OperatorWebhookParams, body: OperatorWebhookBody } },
    async ({ caller, params, body }): Promise<OperatorWebhookSchema> => {
      const { id } = named(caller, params);
      const endpoint = { url: body.url, token: body.token || undefined };
      const webhook = await webhooks.change(id, { ...wishOf(body, caller), endpoint }, caller.name);
      if (webhook === undefined) throw notFound();
      await readWritesOf(deps, operatorWebhookStream(id));
      return shown(webhook);
    },
  );

  app.delete(path, { schema: { params: OperatorWebhookParams } }, async ({ caller, params }) => {
    const { id } = named(caller, params);
    if (!(await webhooks.remove(id, caller.name))) throw notFound();
    await readWritesOf(deps, operatorWebhookStream(id));
    return { id };
  });

  app.get(
    `${path}/parked`,
    { schema: { params: OperatorWebhookParams } },
    ({ caller, params }): OperatorParkedEvents => {
      const docs = webhooks.parked(named(caller, params));
      return { docs: docs.map(({ session, seq, at, error }) => ({ session, seq, parked: iso(at), error })) };
    },
  );

  app.post(
    `${path}/replay`,
    { schema: { params: OperatorWebhookParams, body: OperatorReplayBody } },
    async ({ caller, params, body }): Promise<ReplayResponse> => {
      const webhook = named(caller, params);
      if (!(await replayed(() => webhooks.replay(webhook, choiceOf(body))))) {
        throw new GatewayError(400, 'webhook is paused');
      }
      return { id: webhook.id, pending: webhooks.status(webhook).pending };
    },
  );

  app.post(
    `${path}/test`,
    { schema: { params: OperatorWebhookParams } },
    ({ caller, params }): Promise<WebhookTest> => webhooks.test(named(caller, params)),
  );
}

/** @throws {GatewayError} 400 404 */
async function replayed(replay: () => Promise<boolean>): Promise<boolean> {
  try {
    return await replay();
  } catch (error) {
    if (error instanceof UntoldSessionError) throw sessionNotFound();
    if (!(error instanceof TooManyReplayedError)) throw error;
    throw new GatewayError(400, `events of up to ${maxReplayedSessions} sessions are sent again at a time`);
  }
}

/** @throws {GatewayError} 400 */
function choiceOf({ session, seqs, from, to, parked }: OperatorReplayBody): OperatorReplay {
  checkRange({ from, to });
  if (parked === false) throw new GatewayError(400, 'parked must be true');
  if (parked) return { parked };
  if (session === undefined || session === '') throw new GatewayError(400, 'session should not be empty');
  if (seqs !== undefined) return { session, seqs };
  return { session, from: from ?? 1, to };
}

const notFound = (): GatewayError => new GatewayError(404, 'webhook not found');

const sees = ({ powers: { tenant } }: Caller, webhook: OperatorWebhook): boolean =>
  tenant === undefined || webhook.tenant === tenant;

const wishOf = (
  { events }: OperatorWebhookBody,
  { keyId }: Caller,
): { events: string[]; keyId: string | undefined } => ({
  events: [...new Set(events ?? operatorEventTypes)],
  keyId,
});

/** In the form of Standard Webhooks. */
const newToken = (randomness: Randomness): string =>
  `whsec_${Buffer.from(randomness.bytes(tokenBytes)).toString('base64')}`;
