import type { FastifyRequest } from 'fastify';
import { StoreUnavailableError } from '../../../actors/ports/event-store.ts';
import { sessionStream } from '../../../actors/session/events.ts';
import { sessionNotActive } from '../../errors/gateway-error.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { viewsAt } from '../shared/read-your-writes.ts';
import type { AuthenticationHook } from './refusal.ts';

/**
 * Brings the view of a session up to the end of its stream, for a session that was created or changed through another node a
 * moment ago (CL5). Never rejects.
 * @returns why the view may be older than what the store has: the store is away, or the views do not follow it
 */
export type LookUpSession = (id: string) => Promise<Error | undefined>;

/** A view is awaited for so long. */
const maxWaitMs = 1_000;
/** At the same time, so that callers cannot keep the store busy. Requests beyond that are to come again. */
const maxLookUps = 32;

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** @returns undefined: the gateway is alone, so that its views show all that it has answered */
export function createLookUp(deps: Pick<AppDeps, 'cluster' | 'store' | 'views' | 'clock'>): LookUpSession | undefined {
  if (deps.cluster === undefined) return undefined;
  let underWay = 0;
  return async (id) => {
    if (!uuid.test(id)) return undefined;
    if (underWay >= maxLookUps) return sessionNotActive();
    underWay += 1;
    try {
      await bringUp(deps, id);
      return undefined;
    } catch (error) {
      return error instanceof StoreUnavailableError ? error : sessionNotActive();
    } finally {
      underWay -= 1;
    }
  };
}

/** An `onRequest` hook before a session is named: one that this node has not seen is looked up. */
export function lookUpUnknown(
  { views }: Pick<AppDeps, 'views'>,
  lookUp: LookUpSession | undefined,
  idOf: (request: FastifyRequest) => unknown,
): AuthenticationHook {
  return (request, _reply, done) => {
    const id = lookUp === undefined ? undefined : idOf(request);
    if (lookUp === undefined || typeof id !== 'string' || views.get(id) !== undefined) done();
    else {
      const look = async (): Promise<void> => {
        done(await lookUp(id));
      };
      void look();
    }
  };
}

async function bringUp(deps: Pick<AppDeps, 'store' | 'views' | 'clock'>, id: string): Promise<void> {
  const last = await deps.store.last(sessionStream(id));
  if (last !== undefined) await viewsAt(deps, last.position, maxWaitMs, sessionNotActive);
}
