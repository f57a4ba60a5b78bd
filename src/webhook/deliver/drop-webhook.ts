import type { Sessions } from '../../../actors/runtime/sessions.ts';
import type { SessionViews } from '../../../projections/session-view.ts';
import { webhookIn } from '../places/active-webhooks.ts';

/**
 * Turns a webhook off because its endpoint responded with 410: the one that the view shows in the slot at the call. If the same URL
 * and token have been set again since, and no view shows it yet, that one stays.
 * @throws {WebhookSetAnewError} {@link StoreUnavailableError} and what `dropWebhook` throws
 */
export async function dropWebhook(
  { sessions, views }: { sessions: Pick<Sessions, 'dropWebhook'>; views: Pick<SessionViews, 'get'> },
  sessionId: string,
  slot: number,
): Promise<void> {
  const shown = webhookIn(views.get(sessionId), slot);
  const isOff = shown !== undefined && (await sessions.dropWebhook(sessionId, shown.webhook, 'receiver-gone', slot));
  if (!isOff) throw new WebhookSetAnewError('the webhook has been set again or turned off since');
}

/** The current webhook is not the one whose endpoint is gone. */
export class WebhookSetAnewError extends Error {
  override name = 'WebhookSetAnewError';
}
