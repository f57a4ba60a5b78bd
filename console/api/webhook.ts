import { request } from './request.ts';
import type { DeliveryDoc, DeliveryList, OneWebhook, WebhookStatus } from './types.ts';

export const getWebhook = (id: string, signal: AbortSignal): Promise<WebhookStatus> =>
  request('GET', '/session/webhook', { session: id, signal });

/** An empty URL with an empty token turns the webhook off. */
export const setWebhook = (id: string, webhook: WebhookStatus['webhook']): Promise<unknown> =>
  request('PUT', '/session/webhook', { session: id, body: webhook });

/** All webhooks of the session that are on; the first one is that of `/session/webhook`. */
export const listWebhooks = async (id: string, signal: AbortSignal): Promise<OneWebhook[]> =>
  (await request<{ docs: OneWebhook[] }>('GET', '/session/webhooks', { session: id, signal })).docs;

const pathOf = (webhookId: string): string => `/session/webhooks/${encodeURIComponent(webhookId)}`;

/**
 * A page of a webhook's deliveries.
 * @param status empty: all
 * @param after of the page before; empty: the first page
 */
export function loadDeliveries(
  id: string,
  webhookId: string,
  { status, after, limit }: { status: DeliveryDoc['status'] | ''; after: string; limit: number },
  signal: AbortSignal,
): Promise<DeliveryList> {
  const query = new URLSearchParams({ limit: String(limit) });
  if (status !== '') query.set('status', status);
  if (after !== '') query.set('after', after);
  return request('GET', `${pathOf(webhookId)}/deliveries?${query.toString()}`, { session: id, signal });
}

/** Sends events again: those of the numbers, or all that were given up. @returns how many events are pending then */
export async function replayDeliveries(
  id: string,
  webhookId: string,
  chosen: { seqs: number[] } | { parked: true },
): Promise<number> {
  const path = `${pathOf(webhookId)}/replay`;
  return (await request<{ pending: number }>('POST', path, { session: id, body: chosen })).pending;
}

/** Sends one test event to the webhook, without retries. */
export const testWebhook = (id: string): Promise<{ delivered: boolean; status: number; error: string }> =>
  request('POST', '/session/webhook/test', { session: id, body: {} });
