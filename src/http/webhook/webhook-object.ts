import type { Sealer } from '../../../actors/ports/sealer.ts';
import type { SealedWebhook } from '../../../actors/session/events.ts';
import type { DeliveryStatus } from '../../webhook/deliver/delivery-status.ts';
import { openFilter } from '../../webhook/filter/webhook-filter.ts';
import type { ListedDelivery } from '../../webhook/list/list-deliveries.ts';
import type { ActiveWebhook } from '../../webhook/places/active-webhooks.ts';
import { statusIn } from '../../webhook/stream/attempt-errors.ts';
import { iso } from '../session/session-object.ts';
import type { DeliverySchema } from './delivery-schemas.ts';
import type { deliveryStatus, OneWebhook, WebhookStatus } from './schemas.ts';

type Open = Pick<Sealer, 'open'>;

export async function shownFilter(
  sessionId: string,
  webhook: SealedWebhook,
  sealer: Open,
): Promise<Pick<WebhookStatus, 'events' | 'chats'>> {
  const { events, chats } = await openFilter(webhook, (sealed) => sealer.open(sessionId, sealed));
  return { events: [...events], chats: typeof chats === 'string' ? chats : [...chats] };
}

type Shown = Pick<WebhookStatus, keyof typeof deliveryStatus>;

export const statusObject = (status: DeliveryStatus): Shown => ({
  pending: status.pending,
  lastDelivered: iso(status.lastDelivered),
  lastError: status.lastError,
  lastFailed: iso(status.lastFailed),
  nextAttempt: iso(status.nextAttempt),
  parked: status.parked,
});

export const deliveryObject = ({
  seq,
  id,
  type,
  at,
  status,
  attempts,
  error,
  nextAt,
  event,
}: ListedDelivery): DeliverySchema => ({
  seq,
  id,
  type,
  created: iso(at),
  status,
  attempts,
  lastStatus: statusIn(error),
  lastError: error,
  nextAttempt: iso(nextAt),
  ...(event && { event }),
});

/** A webhook as `/session/webhooks` shows it. */
export async function oneWebhook(
  { sessionId, key, webhook }: ActiveWebhook,
  status: DeliveryStatus,
  sealer: Open,
): Promise<OneWebhook> {
  const [url = '', token = '', filter] = await Promise.all([
    sealer.open(sessionId, webhook.url),
    sealer.open(sessionId, webhook.token),
    shownFilter(sessionId, webhook, sealer),
  ]);
  return { id: key, url, token, ...filter, ...statusObject(status) };
}
