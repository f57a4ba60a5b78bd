import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Json } from '../../../actors/ports/event-store.ts';
import { GatewayError, sessionNotConnected } from '../../errors/gateway-error.ts';
import type { SendMessageDeps, SendMessageOptions } from '../../messaging/send-message.ts';
import type { AppDeps } from './app-types.ts';

/** The headers of a request that sends at most once (MS7). */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ maxLength: 128 })),
});

/** What a send needs, for the session of the request. @throws {GatewayError} its account has just gone. */
export function sendDeps({ accounts, media, clock, randomness }: AppDeps, sessionId: string): SendMessageDeps {
  const account = accounts.get(sessionId);
  if (account === undefined) throw sessionNotConnected();
  return { account, media, clock, randomness };
}

export interface Sent {
  /** What is sent and where to, to tell one body from another. */
  what: object;
  /** There are files to be fetched. */
  takesLong: boolean;
}

/**
 * Answers what `send` answers, once for each `Idempotency-Key` (MS7). With a key the send goes on when its caller
 * leaves: who comes back with the key gets the answer. Without one nobody would, and what takes long ends.
 */
export function idempotentSend<Answer extends Json>(
  { keyedSends }: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { what, takesLong }: Sent,
  send: (options: SendMessageOptions) => Promise<Answer>,
): Promise<Answer> {
  // Validated headers are copied by whoever asks Fastify for them.
  const key = request.raw.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return send(takesLong ? { until: left(reply) } : {});
  return keyedSends.once(request.view.id, key, JSON.stringify(what), (begin, begun) => send({ begin, begun }));
}

/** Goes off where the caller hangs up before there is an answer. */
function left(reply: FastifyReply): LightAbortSignal {
  const stop = new LightAbort();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) stop.abort(new GatewayError(499, 'the client has closed the request'));
  });
  return stop;
}
