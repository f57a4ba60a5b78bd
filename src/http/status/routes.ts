import { countSend } from '../../messaging/count-send.ts';
import { postStatus } from '../../messaging/post-status.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { IdempotencyHeaders, type IdempotentSendDeps, idempotentSend, sendDeps } from '../shared/idempotent-send.ts';
import { readStatus } from './read-status.ts';
import { StatusBody } from './schemas.ts';

type Deps = IdempotentSendDeps & Pick<AppDeps, 'metrics'>;

/** `POST /status` (ST1), inside the authentication of a connected session. */
export function statusRoutes(app: App, deps: Deps): void {
  app.post('/status', { schema: { headers: IdempotencyHeaders, body: StatusBody } }, (request, reply) => {
    const status = readStatus(request.body);
    const sending = sendDeps(deps, request.view.id);
    return idempotentSend(deps, request, reply, { what: { status }, takesLong: true }, async (options) => {
      const { id, created, expires } = await countSend(deps.metrics, 'status', () =>
        postStatus(sending, status, options),
      );
      return { statusId: String(id), created: iso(created), expires: iso(expires) };
    });
  });
}
