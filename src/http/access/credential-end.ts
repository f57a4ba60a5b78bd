import type { FastifyRequest } from 'fastify';
import type { SessionView } from '../../../projections/session-view.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { type Caller, sessionHolder } from './caller.ts';

/** Calls the listener once the credentials of a request are no longer right. @returns a function that removes the listener */
export type OnCredentialEnd = (request: FastifyRequest, listener: () => void) => () => void;

const hashOf = ({ secretHash }: Pick<SessionView, 'secretHash'>): string => secretHash;

/** KY1: what was opened with a key, or with the secret of a session, closes when that ends. */
export function credentialEnd({ keys, views }: Pick<AppDeps, 'keys' | 'views'>): OnCredentialEnd {
  return ({ caller, view }, listener) => {
    if ((caller as Caller | undefined)?.keyId !== undefined) return keys.onEnd(String(caller.keyId), listener);
    if (caller !== sessionHolder) return () => {};
    return views.onChange(view.id, () => {
      const now = views.get(view.id);
      // A deleted session has no secret; its streams end with the event that says so.
      if (now !== undefined && !now.ended && hashOf(now) !== hashOf(view)) listener();
    });
  };
}
