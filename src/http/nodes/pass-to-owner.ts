import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientLeft, GatewayError, sessionNotActive } from '../../errors/gateway-error.ts';
import type { PassableRequest, RequestForwarder } from '../../hop/request-forwarder.ts';
import type { AuthenticationHook } from '../access/refusal.ts';
import type { App } from '../shared/app-types.ts';
import { beginUpload } from '../shared/limits/upload-sockets.ts';
import { onUpgradeEnd, takeOver, type UpgradeOf } from '../websocket/upgrade.ts';
import { elsewhere } from './accept-hops.ts';

declare module 'fastify' {
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

/** A gateway that is alone answers everything. */
export const answersAll: PassToOwner = () => (_request, _reply, done) => done();

const nodeLost = (): GatewayError => new GatewayError(500, 'the node of the session went away before it answered', 1);

/** Passes requests to the nodes that own their sessions (CL5). */
export function passToOwner(
  app: App,
  { forwarder, upgradeOf, isClosing }: { forwarder: RequestForwarder; upgradeOf: UpgradeOf; isClosing: () => boolean },
): PassToOwner {
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
  return (subjectOf) => (request, reply, done) => {
    const subject = request.routeOptions.config.answeredBy === 'any' ? undefined : subjectOf(request);
    if (subject === undefined || forwarder.isHere(subject)) return done();
    if (isTooLarge(request)) return done(new GatewayError(413, 'request body is too large'));
    const passable = passableOf(request, reply, subject, upgradeOf);
    if (isClosing()) reply.raw.shouldKeepAlive = false;
    const pass = async (): Promise<Error | undefined> => {
      const passing = await forwarder.pass(passable);
      if (passing.kind === 'here' && passing.body !== undefined) read.set(request, passing.body);
      if (passing.kind === 'elsewhere') return elsewhere();
      if (passing.kind === 'late') return sessionNotActive();
      if (passing.kind === 'lost') return nodeLost();
      return passing.kind === 'left' ? clientLeft() : undefined;
    };
    const settle = async (): Promise<void> => {
      const error = await pass().catch(asError);
      if (!reply.sent) done(error);
    };
    void settle();
  };
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

/** Refused here: its owner would refuse it unread, and close the connection on which it is still sent. */
const isTooLarge = ({ headers, routeOptions: { bodyLimit, config } }: FastifyRequest): boolean =>
  config.isUpload !== true && Number(headers['content-length'] ?? 0) > (bodyLimit ?? Infinity);

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** In a `preHandler` hook it was read already. */
const bodyOf = ({ readableEnded }: IncomingMessage, body: unknown): Buffer | undefined =>
  readableEnded && body !== undefined && body !== null ? Buffer.from(JSON.stringify(body)) : undefined;
