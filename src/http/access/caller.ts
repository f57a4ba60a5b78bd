import type { FastifyRequest } from 'fastify';
import type { CommandOrigin } from '../../../actors/runtime/sessions.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import type { IssuedKey } from '../../keys/issued-key.ts';
import { allPowers, type Powers } from '../../keys/powers.ts';

/** Who makes a request. */
export interface Caller {
  /** Recorded with all that it causes (KY4): `owner`, the name of a key, or `session`. */
  readonly name: string;
  readonly powers: Powers;
  /** ID of the key that it proved to have; undefined for `API_KEY` and for a session's secret. */
  readonly keyId: string | undefined;
}

/** It has `API_KEY`. */
export const ownerByKey: Caller = { name: 'owner', powers: allPowers, keyId: undefined };
/** The gateway has no `API_KEY`: everyone who reaches it is its owner, and proves nothing by that. */
export const ownerByPlace: Caller = { ...ownerByKey };
/** It has the secret of the request's session. */
export const sessionHolder: Caller = { name: 'session', powers: { scopes: [] }, keyId: undefined };

export function holderOfKey({ id, name, scopes, tenant, expires, limits, chats }: IssuedKey): Caller {
  return { name, powers: { scopes, tenant, expires, limits, chats }, keyId: id };
}

/** Whether the caller may know of a session (KY2). */
export const maySee = ({ powers: { tenant } }: Caller, view: Pick<SessionView, 'tenant'>): boolean =>
  tenant === undefined || view.tenant === tenant;

/** To whom what the caller creates belongs. */
export const ownersOf = ({ powers: { tenant }, keyId }: Caller): { tenant?: string; key?: string } => ({
  ...(tenant !== undefined && { tenant }),
  ...(keyId !== undefined && { key: keyId }),
});

/** The key that what is sent counts for: that of the request, or the one that created the session whose secret it has. */
export const payingKey = ({ caller, view }: Pick<FastifyRequest, 'caller' | 'view'>): string | undefined =>
  caller.keyId ?? (caller === sessionHolder ? view.key : undefined);

/** What a command of this request is recorded and logged with. */
export const originOf = ({ caller, id }: Pick<FastifyRequest, 'caller' | 'id'>): CommandOrigin => ({
  author: caller.name,
  reqId: id,
});

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the authentication of the route; undefined on routes for everyone. */
    caller: Caller;
  }
}
