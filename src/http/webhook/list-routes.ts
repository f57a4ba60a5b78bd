import type { FastifyRequest } from 'fastify';
import type { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { webhookSlots } from '../../../actors/session/events.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type ActiveWebhook, freeSlot, webhookIn, webhooksOf } from '../../webhook/places/active-webhooks.ts';
import { originOf } from '../access/caller.ts';
import { FilledWebhookBody, type WebhookBody, webhookFrom } from '../session/session-webhook.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { type OneWebhook, WebhookParams } from './schemas.ts';
import { oneWebhook } from './webhook-object.ts';

export type WebhookListDeps = Pick<AppDeps, 'sessions' | 'deliveries' | 'recording' | 'sealer' | 'views' | 'clock'>;

/**
 * All webhooks of a session (EV2), inside its authentication; `/session/webhook` is the first of them.
 * @param changes by session: one after the other
 */
export function webhookListRoutes(app: App, deps: WebhookListDeps, changes: KeyedQueue): void {
  const { sessions, deliveries, recording, sealer } = deps;
  const shown = async (webhook: ActiveWebhook): Promise<OneWebhook> =>
    oneWebhook(webhook, await deliveries.status(webhook.sessionId, webhook.slot), sealer);
  const current = (view: SessionView): SessionView => deps.views.get(view.id) ?? view;

  /** As it is once its settings can be read. */
  const set = async (
    request: Pick<FastifyRequest, 'view' | 'caller' | 'id'> & { body: WebhookBody },
    slot: number,
  ): Promise<OneWebhook> => {
    const { view, body } = request;
    const { position } = await sessions.setWebhook(view.id, webhookFrom(body), { ...originOf(request), slot });
    await readYourWrites(deps, view.id, position);
    recording.webhookSet(view.id);
    // Undefined only if it was turned off meanwhile.
    return shown(mustBe(webhookIn(current(view), slot)));
  };

  app.get('/session/webhooks', async ({ view }) => ({ docs: await Promise.all(webhooksOf(view).map(shown)) }));

  app.post('/session/webhooks', { schema: { body: FilledWebhookBody } }, (request) =>
    changes.run(request.view.id, () => {
      const slot = freeSlot(current(request.view));
      if (slot === undefined) throw new GatewayError(400, `a session has up to ${webhookSlots.length} webhooks`);
      return set(request, slot);
    }),
  );

  app.get('/session/webhooks/:webhookId', { schema: { params: WebhookParams } }, ({ view, params }) =>
    shown(named(view, params.webhookId)),
  );

  app.put('/session/webhooks/:webhookId', { schema: { params: WebhookParams, body: FilledWebhookBody } }, (request) =>
    changes.run(request.view.id, async () => set(request, named(current(request.view), request.params.webhookId).slot)),
  );

  app.delete('/session/webhooks/:webhookId', { schema: { params: WebhookParams } }, (request) => {
    const { view, params } = request;
    return changes.run(view.id, async () => {
      const { slot, key } = named(current(view), params.webhookId);
      const { position } = await sessions.setWebhook(view.id, null, { ...originOf(request), slot });
      await readYourWrites(deps, view.id, position);
      return { id: key };
    });
  });

  deliveryRoutes(app, deps, '/session/webhooks/:webhookId', ({ view, params }) => {
    const webhook = named(view, (params as { webhookId: string }).webhookId);
    return { slot: webhook.slot, webhook };
  });
}

/** @throws {GatewayError} 404 */
const named = (view: SessionView, id: string): ActiveWebhook => mustBe(webhooksOf(view).find(({ key }) => key === id));

function mustBe(webhook: ActiveWebhook | undefined): ActiveWebhook {
  if (webhook === undefined) throw new GatewayError(404, 'webhook not found');
  return webhook;
}
