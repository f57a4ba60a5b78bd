import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeyScope } from '../../keys/scopes.ts';
import type { App } from '../shared/app-types.ts';

export type Done = (error?: Error) => void;
/** Counts a wrong credential for its address, and refuses with this error, or with 429. */
export type Refuse = (request: FastifyRequest, error: Error, done: Done) => void;
export type AuthenticationHook = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/**
 * Wrong credentials that an address may send in the window: enough for a client that lost its session, too few for
 * guessing.
 */
const maxFailures = 60;
const failureWindowMs = 60_000;

/** One count for the whole app. Callers with correct credentials are never limited (AU3). */
export function createRefusal(app: App): Refuse {
  const count = app.createRateLimit({ max: maxFailures, timeWindow: failureWindowMs });
  const refuse = async (request: FastifyRequest, error: Error, done: Done): Promise<void> => {
    const limit = await count(request);
    const isTooMany = !limit.isAllowed && limit.isExceeded;
    done(isTooMany ? new GatewayError(429, 'too many requests', Math.max(1, limit.ttlInSeconds)) : error);
  };
  return (request, error, done) => void refuse(request, error, done);
}

export const invalidHeader = (): GatewayError => new GatewayError(400, 'invalid header');
export const invalidKey = (): GatewayError => new GatewayError(401, 'invalid api key');
export const scopeRequired = (scope: KeyScope): GatewayError => new GatewayError(403, `scope ${scope} is required`);
