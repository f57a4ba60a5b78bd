import type { Sessions } from '../../../actors/ports/sessions.ts';
import type { SessionViews } from '../../../projections/session-view.ts';

/**
 * Turns a webhook off because its receiver says that it is no more: the one that the view shows at the call, even where
 * the same URL and token have been set again since and no view shows it yet.
 * @throws {WebhookSetAnewError} {@link StoreUnavailableError} and what `dropWebhook` throws
 */
export async function dropWebhook(
  { sessions, views }: { sessions: Pick<Sessions, 'dropWebhook'>; views: Pick<SessionViews, 'get'> },
  sessionId: string,
): Promise<void> {
  const { webhook } = views.get(sessionId) ?? {};
  const isOff = webhook !== undefined && (await sessions.dropWebhook(sessionId, webhook, 'receiver-gone'));
  if (!isOff) throw new WebhookSetAnewError('the webhook has been set anew, or turned off, meanwhile');
}

/** It is not the webhook whose receiver is gone. */
export class WebhookSetAnewError extends Error {
  override name = 'WebhookSetAnewError';
}
