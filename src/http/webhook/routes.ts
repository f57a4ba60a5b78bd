import type { SessionView } from '../../../projections/session-view.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { openFilter } from '../../webhook/filter/webhook-filter.ts';
import { iso, webhookObject } from '../session/session-object.ts';
import { WebhookBody, webhookFrom } from '../session/session-webhook.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import {
  type ParkedEvents,
  ParkedQuery,
  ReplayBody,
  type ReplayResponse,
  type WebhookResponse,
  type WebhookStatus,
  type WebhookTest,
} from './schemas.ts';

type Deps = Pick<AppDeps, 'sessions' | 'deliveries' | 'recording' | 'sealer' | 'views' | 'clock'>;

/** The webhook of a session (WH1), inside its authentication. */
export function webhookRoutes(app: App, deps: Deps): void {
  const { sessions, deliveries } = deps;

  app.route({
    method: ['PUT', 'POST'],
    url: '/session/webhook',
    schema: { body: WebhookBody },
    handler: async ({ view: { id }, body }): Promise<WebhookResponse> => {
      const webhook = webhookFrom(body);
      const { position } = await sessions.setWebhook(id, webhook);
      await readYourWrites(deps, id, position);
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
    const { pending, lastDelivered, lastError, nextAttempt, parked } = status;
    const times = { lastDelivered: iso(lastDelivered), lastError, nextAttempt: iso(nextAttempt) };
    return { id: view.id, webhook, ...filter, pending, ...times, parked };
  });

  app.get(
    '/session/webhook/parked',
    { schema: { querystring: ParkedQuery } },
    async ({ view, query }): Promise<ParkedEvents> => {
      const { after = 0, limit = defaultPageLimit } = query;
      const docs = await deliveries.parked(view.id, Number(after), Number(limit));
      return { docs, after: docs.at(-1)?.seq ?? Number(after) };
    },
  );

  app.post(
    '/session/webhook/replay',
    { schema: { body: ReplayBody } },
    async ({ view, body }): Promise<ReplayResponse> => {
      mustBeOn(view);
      await deliveries.replay(view.id, body.from);
      const { pending } = await deliveries.status(view.id);
      return { id: view.id, pending };
    },
  );

  app.post('/session/webhook/test', async ({ view }): Promise<WebhookTest> => {
    mustBeOn(view);
    return deliveries.test(view);
  });
}

async function filterObject(
  { id, webhook }: SessionView,
  sealer: Deps['sealer'],
): Promise<Pick<WebhookStatus, 'events' | 'chats'>> {
  if (webhook === undefined) return { events: [], chats: 'private' };
  const { events, chats } = await openFilter(webhook, (sealed) => sealer.open(id, sealed));
  return { events: [...events], chats: typeof chats === 'string' ? chats : [...chats] };
}

function mustBeOn({ webhook }: SessionView): void {
  if (webhook === undefined) throw new GatewayError(400, 'webhook is off');
}
