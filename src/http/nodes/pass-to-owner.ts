import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ActorStoppedError } from '../../../actors/runtime/actor-stopped-error.ts';
import { errorCodeOf } from '../../errors/error-code.ts';
import { clientLeft, GatewayError, sessionNotActive, toGatewayError } from '../../errors/gateway-error.ts';
import { begunHeader } from '../../hop/passed-request.ts';
import { isSafe, type PassableRequest, type Passing, type RequestForwarder } from '../../hop/request-forwarder.ts';
import type { RequestsUnderWay, RequestUnderWay } from '../../hop/requests-under-way.ts';
import type { AuthenticationHook } from '../access/refusal.ts';
import type { App } from '../shared/app-types.ts';
import { bodyTooLarge, sendError } from '../shared/error-responses.ts';
import { isKeyed } from '../shared/idempotent-send.ts';
import { beginUpload } from '../shared/limits/upload-sockets.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../websocket/upgrade.ts';
import { elsewhere } from './accept-hops.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if this node answers the request because it owns what the request is about. */
    underWay: RequestUnderWay | undefined;
  }
  interface FastifyContextConfig {
    /** `any`: each node answers the request from its own views. Default: the owner of the session. */
    answeredBy?: 'any' | 'owner';
    /** The body is a file: it may be large, and take longer than other requests. */
    isUpload?: boolean;
  }
}

/** What a request belongs to: a session's ID, or another text that has a partition. Undefined: nothing, any node answers. */
type SubjectOf = (request: FastifyRequest) => string | undefined;

/** An `onRequest` hook behind the authentication, or a `preHandler` hook for what the body alone says. */
export type PassToOwner = (subjectOf: SubjectOf) => AuthenticationHook;

/** What the routes of an app need to have their requests answered by owners. */
export interface OwnerRouting {
  passTo: PassToOwner;
  /** The error handler of these routes. */
  answerError: typeof sendError;
}

/** A gateway that is alone answers everything. */
export const answersAll: OwnerRouting = {
  passTo: () => (_request, _reply, done) => done(),
  answerError: sendError,
};

const nodeLost = (): GatewayError => new GatewayError(500, 'the node of the session went away before it answered', 1);

interface PassToOwnerDeps {
  forwarder: RequestForwarder;
  requests: RequestsUnderWay;
  upgradeOf: UpgradeOf;
  isClosing: () => boolean;
}

/** Passes requests to the nodes that own their sessions (CL5). */
export function passToOwner(app: App, { forwarder, requests, upgradeOf, isClosing }: PassToOwnerDeps): OwnerRouting {
  /** Bodies that were read before it was known that this process answers after all. */
  const read = new WeakMap<FastifyRequest, Buffer>();
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const body = read.get(request);
    done(null, body === undefined ? payload : Readable.from([body]));
  });
  app.addHook('preClose', (done) => {
    forwarder.endStreams();
    done();
  });
  /** @returns why this node answers after all; undefined: another one has answered */
  const pass = async (request: FastifyRequest, reply: FastifyReply, subject: string): Promise<Passing> => {
    if (isClosing()) reply.raw.shouldKeepAlive = false;
    return await forwarder.pass(passableOf(request, reply, subject, upgradeOf));
  };
  const begin = (request: FastifyRequest, reply: FastifyReply, subject: string): void => {
    // An upload ends with its session, and a WebSocket does not end by itself.
    if (request.routeOptions.config.isUpload === true || upgradeOf(request.raw) !== undefined) return;
    const underWay = requests.begin(subject);
    request.underWay = underWay;
    reply.raw.once('close', underWay.end);
  };
  const passTo: PassToOwner = (subjectOf) => (request, reply, done) => {
    const subject = request.routeOptions.config.answeredBy === 'any' ? undefined : subjectOf(request);
    if (subject === undefined) return done();
    if (forwarder.isHere(subject)) {
      begin(request, reply, subject);
      return done();
    }
    if (isTooLarge(request)) return done(new GatewayError(413, bodyTooLarge));
    const settle = async (): Promise<void> => {
      const passing = await pass(request, reply, subject).catch(asError);
      if (reply.sent) return;
      if (passing instanceof Error || passing.kind !== 'here') return done(errorOf(passing));
      if (passing.body !== undefined) read.set(request, passing.body);
      begin(request, reply, subject);
      done();
    };
    void settle();
  };
  /** What the next owner answers to a request that failed because its session has left this node (CL5.25). */
  const passOn = async (request: FastifyRequest, reply: FastifyReply, subject: string): Promise<void> => {
    const passing = await pass(request, reply, subject).catch(asError);
    if (reply.sent) return;
    // If the session is back here, that is 500 with `Retry-After`, too.
    sendError(errorOf(passing), request, reply);
  };
  const answerError: typeof sendError = (error, request, reply) => {
    const { underWay } = request;
    if (underWay === undefined || reply.sent || forwarder.isHere(underWay.subject))
      return sendError(error, request, reply);
    const fate = fateOf(error, request);
    if (fate === 'other') return sendError(error, request, reply);
    if (fate === 'lost') return sendError(nodeLost(), request, reply);
    // It is the first node's to find the next owner.
    if (request.hop !== undefined) return sendError(elsewhere(), request, reply.header(begunHeader, 'true'));
    underWay.end();
    void passOn(request, reply, underWay.subject);
    return reply;
  };
  return { passTo, answerError };
}

/**
 * What becomes of a request whose session has left this node:
 * - `other`: it has failed for another reason
 * - `repeatable`: nothing was begun for it, or a repetition does no harm
 * - `lost`: what it did is not known
 */
function fateOf(error: unknown, request: FastifyRequest): 'other' | 'repeatable' | 'lost' {
  const known = toGatewayError(error);
  const code = known && errorCodeOf(known.statusCode, known.message);
  const isCutOff = code === 'session_not_connected' || code === 'telegram_unreachable';
  if (code !== 'session_not_active' && !isCutOff) return 'other';
  const { raw, body } = request;
  const hasBody = Number(raw.headers['content-length'] ?? 0) > 0 || raw.headers['transfer-encoding'] !== undefined;
  // What was begun when the session left may have been recorded.
  const isBegun = isCutOff || (error instanceof Error && error.cause instanceof ActorStoppedError);
  if (hasBody && (!raw.readableEnded || body === undefined)) return isBegun ? 'lost' : 'other';
  return isBegun && !mayRepeat(request) ? 'lost' : 'repeatable';
}

/** Why no other node has answered. */
function errorOf(passing: Passing | Error): Error {
  if (passing instanceof Error) return passing;
  if (passing.kind === 'elsewhere') return elsewhere();
  if (passing.kind === 'lost') return nodeLost();
  return passing.kind === 'left' ? clientLeft() : sessionNotActive();
}

function passableOf(
  request: FastifyRequest,
  reply: FastifyReply,
  subject: string,
  upgradeOf: UpgradeOf,
): PassableRequest {
  const { raw, id, ip, hop, body } = request;
  const isUpload = request.routeOptions.config.isUpload === true;
  const upgrade = upgradeOf(raw);
  if (isUpload) reply.raw.once('close', beginUpload(raw.socket));
  return {
    raw,
    response: reply.raw,
    subject,
    reqId: id,
    client: ip,
    hop,
    mayRepeat: mayRepeat(request),
    body: isUpload ? 'stream' : bodyOf(raw, body),
    upgrade:
      upgrade &&
      (() => {
        const taken = takeOver(upgrade);
        onUpgradeEnd(upgrade, 101);
        return taken;
      }),
    onAnswer: (node) => {
      request.answeredBy = node;
      reply.hijack();
    },
  };
}

/** What it did already is not done again (MS7), or it changes nothing. */
const mayRepeat = (request: FastifyRequest): boolean => isSafe(request.method) || isKeyed(request);

/** Refused here: its owner would refuse it unread. */
const isTooLarge = ({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): boolean =>
  config.isUpload !== true && Number(headers['content-length'] ?? 0) > (bodyLimit ?? Infinity);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** In a `preHandler` hook it was read already. */
const bodyOf = ({ readableEnded }: IncomingMessage, body: unknown): Buffer | undefined =>
  readableEnded && body !== undefined && body !== null ? Buffer.from(JSON.stringify(body)) : undefined;
