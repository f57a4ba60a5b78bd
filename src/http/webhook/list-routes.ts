import type { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { webhookSlots } from '../../../actors/session/events.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type ActiveWebhook, freeSlot, webhookIn, webhooksOf } from '../../webhook/places/active-webhooks.ts';
import { FilledWebhookBody, webhookFrom } from '../session/session-webhook.ts';
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
  const set = async (view: SessionView, slot: number, body: Parameters<typeof webhookFrom>[0]): Promise<OneWebhook> => {
    const { position } = await sessions.setWebhook(view.id, webhookFrom(body), slot);
    await readYourWrites(deps, view.id, position);
    recording.webhookSet(view.id);
    // Undefined only if it was turned off meanwhile.
    return shown(mustBe(webhookIn(current(view), slot)));
  };

  app.get('/session/webhooks', async ({ view }) => ({ docs: await Promise.all(webhooksOf(view).map(shown)) }));

  app.post('/session/webhooks', { schema: { body: FilledWebhookBody } }, ({ view, body }) =>
    changes.run(view.id, () => {
      const slot = freeSlot(current(view));
      if (slot === undefined) throw new GatewayError(400, `a session has up to ${webhookSlots.length} webhooks`);
      return set(view, slot, body);
    }),
  );

  app.get('/session/webhooks/:webhookId', { schema: { params: WebhookParams } }, ({ view, params }) =>
    shown(named(view, params.webhookId)),
  );

  app.put(
    '/session/webhooks/:webhookId',
    { schema: { params: WebhookParams, body: FilledWebhookBody } },
    ({ view, params, body }) =>
      changes.run(view.id, async () => set(view, named(current(view), params.webhookId).slot, body)),
  );

  app.delete('/session/webhooks/:webhookId', { schema: { params: WebhookParams } }, ({ view, params }) =>
    changes.run(view.id, async () => {
      const { slot, key } = named(current(view), params.webhookId);
      const { position } = await sessions.setWebhook(view.id, null, slot);
      await readYourWrites(deps, view.id, position);
      return { id: key };
    }),
  );

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
