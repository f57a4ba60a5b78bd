import type { Sessions } from '../../../actors/runtime/sessions.ts';
import type { SessionViews } from '../../../projections/session-view.ts';

/**
 * Turns a webhook off because its endpoint responded with 410: the webhook that the view shows at the call. If the same URL
 * and token have been set again since, and no view shows it yet, that one stays.
 * @throws {WebhookSetAnewError} {@link StoreUnavailableError} and what `dropWebhook` throws
 */
export async function dropWebhook(
  { sessions, views }: { sessions: Pick<Sessions, 'dropWebhook'>; views: Pick<SessionViews, 'get'> },
  sessionId: string,
): Promise<void> {
  const { webhook } = views.get(sessionId) ?? {};
  const isOff = webhook !== undefined && (await sessions.dropWebhook(sessionId, webhook, 'receiver-gone'));
  if (!isOff) throw new WebhookSetAnewError('the webhook has been set again or turned off since');
}

/** The current webhook is not the one whose endpoint is gone. */
export class WebhookSetAnewError extends Error {
  override name = 'WebhookSetAnewError';
}
