import { GatewayError } from '../../errors/gateway-error.ts';
import { originOf } from '../access/caller.ts';
import { iso } from '../session/session-object.ts';
import { WebhookBody, webhookFrom } from '../session/session-webhook.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { readYourWrites } from '../shared/read-your-writes.ts';
import { connectNowRoute } from './connection-routes.ts';
import type { RotatedSecret, SessionResetResponse, WebhookSwitch } from './schemas.ts';

type Deps = Pick<AppDeps, 'sessions' | 'views' | 'clock' | 'recording' | 'connections'>;

/** What an operator does with a session (OS2), inside the authentication of `sessions:control`. No answer is personal. */
export function sessionControlRoutes(app: App, deps: Deps): void {
  const { sessions } = deps;
  connectNowRoute(app, deps);

  app.delete('/sessions/:id', async (request): Promise<{ id: string }> => {
    const { id } = request.view;
    const { position } = await sessions.delete(id, originOf(request));
    await readYourWrites(deps, id, position);
    return { id };
  });

  app.post('/sessions/:id/reset', async (request): Promise<SessionResetResponse> => {
    const { id } = request.view;
    const { position } = await sessions.reset(id, {}, originOf(request));
    const view = await readYourWrites(deps, id, position);
    return { id, state: view?.state ?? 'deleted', deadline: iso(view?.deadline) };
  });

  app.put('/sessions/:id/webhook', { schema: { body: WebhookBody } }, async (request): Promise<WebhookSwitch> => {
    const { id } = request.view;
    const webhook = webhookFrom(request.body);
    // It would pass on what the account's people write.
    if (webhook !== null && !request.caller.powers.scopes.includes('accounts')) {
      throw new GatewayError(403, 'scope accounts is required');
    }
    const { position } = await sessions.setWebhook(id, webhook, originOf(request));
    await readYourWrites(deps, id, position);
    deps.recording.webhookSet(id);
    return { id, hasWebhook: webhook !== null };
  });

  app.post('/sessions/:id/secret', { config: { alsoScope: 'accounts' } }, async (request): Promise<RotatedSecret> => {
    const { id } = request.view;
    const { sessionId, position } = await sessions.rotateSecret(id, originOf(request));
    await readYourWrites(deps, id, position);
    return { id, sessionId };
  });
}
