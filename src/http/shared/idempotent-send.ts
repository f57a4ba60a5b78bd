import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Json } from '../../../actors/ports/event-store.ts';
import { clientLeft } from '../../errors/gateway-error.ts';
import { drawn, type SendMessageDeps, type SendMessageOptions } from '../../messaging/send-message.ts';
import type { BeginSend } from '../../telegram/port/outgoing.ts';
import { payingKey } from '../access/caller.ts';
import { nameWithin } from '../access/chat-bound.ts';
import type { AppDeps } from './app-types.ts';
import { type AccountRequest, connectedAccount } from './connected-account.ts';
import { tellAllowance } from './limits/tell-allowance.ts';
import { sessionAccount } from './session-account.ts';

/** The headers of a request that sends at most once (MS7): the routes that have this schema heed the key, and no other does. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(Type.String({ maxLength: 128 })),
});

/** The `Idempotency-Key`; an empty one is none. Fastify copies validated headers at each access, so the raw ones are read. */
const keyOf = ({ raw }: FastifyRequest): string | undefined => {
  const key = raw.headers['idempotency-key'];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

/** Whether the request is carried out once, however often it comes: its route heeds a key, and it has one. */
export const isKeyed = (request: FastifyRequest): boolean =>
  keyOf(request) !== undefined && request.routeOptions.schema?.headers === IdempotencyHeaders;

export type IdempotentSendDeps = Pick<
  AppDeps,
  'accounts' | 'media' | 'clock' | 'randomness' | 'keyedSends' | 'sealer' | 'paces' | 'sendLimits'
>;

/** The dependencies of a send, for the session of the request. @throws {GatewayError} 500: not connected any more */
export function sendDeps(
  { accounts, media, clock, randomness, paces }: IdempotentSendDeps,
  request: AccountRequest,
): SendMessageDeps {
  const account = connectedAccount(accounts, request);
  const sessionId = request.view.id;
  const pace = paces.of(sessionId, account.id);
  // All files of a request are one batch.
  return { account, media: media.of({ sessionId, batch: {} }), clock, randomness, pace };
}

interface Sent {
  /** The message and its recipient, to compare bodies. */
  what: object;
  /** Whether files have to be downloaded. */
  takesLong: boolean;
  /** How many messages it makes, which count for the key's limit (KY3); default: none. */
  messages?: number;
}

/**
 * Runs `send`, once for each `Idempotency-Key` (MS7). With a key the send continues when its caller leaves: a retry
 * with the key gets the response. Without one, downloading files ends. Either way a send whose caller leaves gives its turn
 * up, as long as it waits for it (OS7).
 */
export async function idempotentSend<Result extends Json>(
  deps: IdempotentSendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { what, takesLong, messages = 0 }: Sent,
  send: (options: SendMessageOptions) => Promise<Result>,
): Promise<Result> {
  const key = keyOf(request);
  const { keyedSends, sealer } = deps;
  const { view } = request;
  const limited = limitOf(deps, request, reply, messages);
  const leaving = takesLong || view.pace !== undefined ? left(reply) : undefined;
  if (key === undefined) {
    const begin = limited && limited(drawn(deps));
    return send({ begin, until: takesLong ? leaving : undefined, left: leaving });
  }
  const { chats } = request.caller.powers;
  const { id: account, isFirst } = await sessionAccount(view, sealer);
  const { method, routeOptions } = request;
  const origin = { by: request.caller.name, operation: `${method} ${routeOptions.url}` };
  const sender = { sessionId: view.id, ...(!isFirst && { account }), origin };
  return keyedSends.once(
    sender,
    chats === undefined ? key : nameWithin(chats, key),
    JSON.stringify(what, withoutBytes),
    (begin, begun) =>
      // A send that had begun is counted.
      send({ begin: begun === undefined && limited !== undefined ? limited(begin) : begin, begun, left: leaving }),
  );
}

/** Has a send counted before it begins; undefined if nothing is to be counted. */
function limitOf(
  { sendLimits }: IdempotentSendDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  messages: number,
): ((begin: BeginSend) => BeginSend) | undefined {
  const key = messages === 0 ? undefined : payingKey(request);
  if (key === undefined || !sendLimits.isLimited(key)) return undefined;
  return (begin) => {
    let mark: ReturnType<BeginSend> | undefined;
    return () => (mark ??= tellAllowance(reply, sendLimits.take(key, messages)).then(begin));
  };
}

/** Of the bytes of a file, base64, their hash. */
const withoutBytes = (name: string, value: unknown): unknown =>
  name === 'data' && typeof value === 'string' ? hash('sha256', value, 'base64url') : value;

/** Aborted if the caller hangs up before the response. */
export function left(reply: FastifyReply): LightAbortSignal {
  const stop = new LightAbort();
  reply.raw.on('close', () => {
    if (!reply.raw.writableEnded) stop.abort(clientLeft());
  });
  return stop;
}
