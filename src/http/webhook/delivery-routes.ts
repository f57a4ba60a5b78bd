import type { FastifyRequest } from 'fastify';
import { readPlace, writePlace } from '../../chats/page-place.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { ActiveWebhook } from '../../webhook/places/active-webhooks.ts';
import type { ReplayChoice } from '../../webhook/stream/replayed.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { defaultPageLimit } from '../shared/paging.ts';
import { DeliveriesQuery, type DeliveryList } from './delivery-schemas.ts';
import { type ParkedEvents, ParkedQuery, ReplayBody, type ReplayResponse, type WebhookTest } from './schemas.ts';
import { deliveryObject } from './webhook-object.ts';

const defaultDeliveries = 50;

type Deps = Pick<AppDeps, 'deliveries'>;

/** Which webhook a request is about. Undefined if it is off; then its slot still has what became of its deliveries. */
export type WebhookOfRequest = (request: FastifyRequest) => { slot: number; webhook: ActiveWebhook | undefined };

/** What became of the deliveries of a webhook, below its path. */
export function deliveryRoutes(app: App, { deliveries }: Deps, path: string, of: WebhookOfRequest): void {
  app.get(`${path}/parked`, { schema: { querystring: ParkedQuery } }, async (request): Promise<ParkedEvents> => {
    const { after = 0, limit = defaultPageLimit } = request.query;
    const docs = await deliveries.parked(request.view.id, Number(after), Number(limit), of(request).slot);
    return { docs, after: docs.at(-1)?.seq ?? Number(after) };
  });

  app.get(
    `${path}/deliveries`,
    { schema: { querystring: DeliveriesQuery } },
    async (request): Promise<DeliveryList> => {
      const { status, chatId, after, limit = defaultDeliveries } = request.query;
      const revision = after === undefined || after === '' ? undefined : readPlace('after', after, 1).numbers[0];
      const query = { status, chatId: chatId || undefined, after: revision, limit: Number(limit) };
      const page = await deliveries.list(request.view.id, query, of(request).slot);
      return {
        docs: page.docs.map(deliveryObject),
        after: page.after === undefined ? '' : writePlace([page.after], ''),
      };
    },
  );

  app.post(`${path}/replay`, { schema: { body: ReplayBody } }, async (request): Promise<ReplayResponse> => {
    const { view, body } = request;
    const choice = choiceOf(body);
    const { slot } = mustBeOn(of(request));
    await deliveries.replay(view.id, choice, slot);
    const { pending } = await deliveries.status(view.id, slot);
    return { id: view.id, pending };
  });

  app.post(`${path}/test`, async (request): Promise<WebhookTest> => deliveries.test(mustBeOn(of(request))));
}

/** @throws {GatewayError} 400 */
function mustBeOn({ webhook }: ReturnType<WebhookOfRequest>): ActiveWebhook {
  if (webhook === undefined) throw new GatewayError(400, 'webhook is off');
  return webhook;
}

/** @throws {GatewayError} 400 */
function choiceOf({ from, to, seqs, parked }: ReplayBody): ReplayChoice {
  checkRange({ from, to });
  if (parked === false) throw new GatewayError(400, 'parked must be true');
  if (seqs !== undefined) return { seqs };
  return from === undefined ? { parked: true } : { from, to };
}

/** @throws {GatewayError} 400 */
export function checkRange({ from, to }: { from?: number | undefined; to?: number | undefined }): void {
  if (to !== undefined && from === undefined) throw new GatewayError(400, 'to needs from');
  if (from !== undefined && to !== undefined && to < from) throw new GatewayError(400, 'to must not be less than from');
}
