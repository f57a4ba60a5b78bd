import { countSend } from '../../messaging/count-send.ts';
import { postStatus } from '../../messaging/post-status.ts';
import { payingKey } from '../access/caller.ts';
import { mediaBodyLimit } from '../message/media-source.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { IdempotencyHeaders, type IdempotentSendDeps, idempotentSend, sendDeps } from '../shared/idempotent-send.ts';
import type { LargeBodies } from '../shared/limits/large-bodies.ts';
import { readStatus } from './read-status.ts';
import { StatusBody } from './schemas.ts';

type Deps = IdempotentSendDeps & Pick<AppDeps, 'metrics' | 'usage'> & { bodies: LargeBodies };

/** `POST /status` (ST1), inside the authentication of a connected session. */
export function statusRoutes(app: App, deps: Deps): void {
  const schema = { headers: IdempotencyHeaders, body: StatusBody };
  const limits = { bodyLimit: mediaBodyLimit, preParsing: deps.bodies.count };
  app.post('/status', { schema, ...limits }, (request, reply) => {
    const status = readStatus(request.body);
    const sending = sendDeps(deps, request);
    const sent = { what: { status }, takesLong: true, messages: 1 };
    const counted = { sessionId: request.view.id, keyId: payingKey(request), type: 'status', messages: 1 };
    return deps.bodies.during(request, () =>
      idempotentSend(deps, request, reply, sent, async (options) => {
        const { id, created, expires } = await countSend(deps, counted, () => postStatus(sending, status, options));
        return { statusId: String(id), created: iso(created), expires: iso(expires) };
      }),
    );
  });
}
