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

/**
 * The dependencies of a send, for the session of the request. @throws {GatewayError} its account has just disconnected
 */
export function sendDeps({ accounts, media, clock, randomness }: AppDeps, sessionId: string): SendMessageDeps {
  const account = accounts.get(sessionId);
  if (account === undefined) throw sessionNotConnected();
  return { account, media, clock, randomness };
}

export interface Sent {
  /** The message and its recipient, to compare bodies. */
  what: object;
  /** Whether files have to be downloaded. */
  takesLong: boolean;
}

/**
 * Runs `send`, once for each `Idempotency-Key` (MS7). With a key the send continues when its caller leaves: a retry
 * with the key gets the response. Without one, downloading files ends.
 */
export function idempotentSend<Answer extends Json>(
  { keyedSends }: AppDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { what, takesLong }: Sent,
  send: (options: SendMessageOptions) => Promise<Answer>,
): Promise<Answer> {
  // Fastify copies validated headers at each access.
  const key = request.raw.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return send(takesLong ? { until: left(reply) } : {});
  return keyedSends.once(request.view.id, key, JSON.stringify(what), (begin, begun) => send({ begin, begun }));
}

/** Aborted if the caller hangs up before the response. */
function left(reply: FastifyReply): LightAbortSignal {
  const stop = new LightAbort();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) stop.abort(new GatewayError(499, 'the client has closed the request'));
  });
  return stop;
}
