import type { FastifyReply, FastifyRequest } from 'fastify';
import { Stop, type StopSignal } from '../../../actors/kit/light-abort.ts';
import type { Json } from '../../../actors/ports/event-store.ts';
import { RequestError, sessionNotConnected } from '../../errors/gateway-error.ts';
import type { SendOptions, SendParts } from '../../messaging/send-message.ts';
import type { AppParts } from './app-types.ts';

/** What a send needs, for the session of the request. @throws {RequestError} its account has just gone. */
export function sendParts({ accounts, media, clock, randomness }: AppParts, sessionId: string): SendParts {
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
export function sendOnce<Answer extends Json>(
  { keyedSends }: AppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  { what, takesLong }: Sent,
  send: (options: SendOptions) => Promise<Answer>,
): Promise<Answer> {
  // Validated headers are copied by whoever asks Fastify for them.
  const key = request.raw.headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return send(takesLong ? { until: left(reply) } : {});
  return keyedSends.once(request.view.id, key, JSON.stringify(what), (begin, begun) => send({ begin, begun }));
}

/** Goes off where the caller hangs up before there is an answer. */
function left(reply: FastifyReply): StopSignal {
  const stop = new Stop();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) stop.abort(new RequestError(499, 'the client has closed the request'));
  });
  return stop;
}
