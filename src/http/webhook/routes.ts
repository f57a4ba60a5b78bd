import { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { firstWebhook } from '../../../actors/session/events.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { webhookIn } from '../../webhook/places/active-webhooks.ts';
import { originOf } from '../access/caller.ts';
import { webhookObject } from '../session/session-object.ts';
import { WebhookBody, webhookFrom } from '../session/session-webhook.ts';
import type { App } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { deliveryRoutes } from './delivery-routes.ts';
import { type WebhookListDeps, webhookListRoutes } from './list-routes.ts';
import type { WebhookResponse, WebhookStatus } from './schemas.ts';
import { shownFilter, statusObject } from './webhook-object.ts';

type Deps = WebhookListDeps;

/** The webhook of a session (WH1), inside its authentication. */
export function webhookRoutes(app: App, deps: Deps): void {
  const { sessions, deliveries } = deps;
  /** By session: a webhook that is added takes the first place that is free. */
  const changes = new KeyedQueue();
  webhookListRoutes(app, deps, changes);

  app.route({
    method: ['PUT', 'POST'],
    url: '/session/webhook',
    schema: { body: WebhookBody },
    handler: async (request): Promise<WebhookResponse> => {
      const { id } = request.view;
      const webhook = webhookFrom(request.body);
      await changes.run(id, async () => {
        const { position } = await sessions.setWebhook(id, webhook, originOf(request));
        await readYourWrites(deps, id, position);
      });
      deps.recording.webhookSet(id);
      return { id, webhook: { url: webhook?.url ?? '', token: webhook?.token ?? '' } };
    },
  });

  app.get('/session/webhook', async ({ view }): Promise<WebhookStatus> => {
    const [webhook, filter, status] = await Promise.all([
      webhookObject(view, deps.sealer),
      filterObject(view, deps.sealer),
      deliveries.status(view.id),
    ]);
    return { id: view.id, webhook, ...filter, ...statusObject(status) };
  });

  deliveryRoutes(app, deps, '/session/webhook', ({ view }) => ({
    slot: firstWebhook,
    webhook: webhookIn(view, firstWebhook),
  }));
}

async function filterObject(
  { id, webhook }: SessionView,
  sealer: Deps['sealer'],
): Promise<Pick<WebhookStatus, 'events' | 'chats'>> {
  return webhook === undefined ? { events: [], chats: 'private' } : shownFilter(id, webhook, sealer);
}
