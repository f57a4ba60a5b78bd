import { sessionNotConnected } from '../../errors/gateway-error.ts';
import { type CallMethodDeps, callMethod } from '../../raw/call-method.ts';
import { originOf, payingKey } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { connectedAccount } from '../shared/connected-account.ts';
import { left } from '../shared/idempotent-send.ts';
import { jsonText } from '../shared/json-text.ts';
import { tellAllowance } from '../shared/limits/tell-allowance.ts';
import { MethodBody, MethodParams } from './schemas.ts';

type Deps = Pick<AppDeps, 'accounts' | 'clock' | 'randomness' | 'sessions' | 'paces' | 'usage' | 'sendLimits'>;

/** `POST /telegram/{method}` (RM1), inside the authentication of keys with the scope `raw` for a connected session. */
export function telegramRoutes(app: App, deps: Deps): void {
  const { accounts, clock, randomness, sessions, paces, usage, sendLimits } = deps;
  app.post('/telegram/:method', { schema: { params: MethodParams, body: MethodBody } }, async (request, reply) => {
    const { id } = request.view;
    const record = async (method: string): Promise<void> => {
      const { recorded } = await sessions.noteMethodCall(id, method, originOf(request));
      if (!recorded) throw sessionNotConnected();
    };
    const { method } = request.params;
    const account = connectedAccount(accounts, request);
    const pace = paces.of(id, account.id);
    const leaving = request.view.pace === undefined ? undefined : left(reply);
    const key = payingKey(request);
    const sends: CallMethodDeps['sends'] = {
      take: async (messages) => (key === undefined ? undefined : tellAllowance(reply, sendLimits.take(key, messages))),
      count: (messages, areSent) => usage.count(id, key, areSent ? 'sent' : 'notSent', messages),
    };
    const answer = await callMethod(
      { account, clock, randomness, record, sends, pace, left: leaving },
      { method, params: request.body.params },
    );
    // An answer may be a bare value, which Fastify would send as it is.
    return reply.type('application/json; charset=utf-8').send(jsonText(answer));
  });
}
