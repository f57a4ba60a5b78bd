import { sessionNotConnected } from '../../errors/gateway-error.ts';
import { callMethod } from '../../raw/call-method.ts';
import { originOf } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { connectedAccount } from '../shared/connected-account.ts';
import { MethodBody, MethodParams } from './schemas.ts';

type Deps = Pick<AppDeps, 'accounts' | 'clock' | 'sessions'>;

/** `POST /telegram/{method}` (RM1), inside the authentication of keys with the scope `raw` for a connected session. */
export function telegramRoutes(app: App, { accounts, clock, sessions }: Deps): void {
  app.post('/telegram/:method', { schema: { params: MethodParams, body: MethodBody } }, async (request, reply) => {
    const { id } = request.view;
    const record = async (method: string): Promise<void> => {
      const { recorded } = await sessions.noteMethodCall(id, method, originOf(request));
      if (!recorded) throw sessionNotConnected();
    };
    const { method } = request.params;
    const account = connectedAccount(accounts, id);
    const answer = await callMethod({ account, clock, record }, { method, params: request.body.params });
    // An answer may be a bare value, which Fastify would send as it is.
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(answer));
  });
}
