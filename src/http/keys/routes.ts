import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import { type IssuedKey, stateOfKey } from '../../keys/issued-key.ts';
import type { KeyWish } from '../../keys/key-registry.ts';
import { beyondPowers } from '../../keys/powers.ts';
import type { Caller } from '../access/caller.ts';
import { scopeOfGroup } from '../access/route-scopes.ts';
import { readTime } from '../audit/read-time.ts';
import { iso } from '../session/session-object.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { KeyBody, type KeySchema, KeysQuery, type NewKey } from './schemas.ts';

type Deps = Pick<AppDeps, 'keys' | 'clock' | 'hops'>;

/** A page's length if the query does not say. */
const defaultKeys = 50;

const keyNotFound = (): GatewayError => new GatewayError(404, 'key not found');

/** `/keys` (KY1), with a key of the scope `keys`; one with a tenant sees the keys of its tenant alone, one with chats those within them. */
export function keyRoutes(app: App, deps: Deps): void {
  void app.register(async (group: App) => {
    scopeOfGroup(group, 'keys');
    addRoutes(group, deps);
  });
}

function addRoutes(app: App, { keys, clock, hops }: Deps): void {
  const shown = (key: IssuedKey): KeySchema => keyObject(key, clock.now());

  /** Its turn may come after the key of the request has ended. */
  const stillValid =
    ({ caller }: FastifyRequest) =>
    (): void => {
      if (caller.keyId !== undefined && !keys.isActive(caller.keyId)) throw new GatewayError(401, 'invalid api key');
    };

  app.post('/keys', { schema: { body: KeyBody } }, async (request): Promise<NewKey> => {
    const { caller, body } = request;
    const wish = wishOf(body, caller, clock.now());
    const beyond = beyondPowers(wish, caller.powers);
    if (beyond.length > 0) throw new GatewayError(403, beyond.join('\n'));
    const { key, text } = await keys.issue(wish, caller.name, stillValid(request));
    await hops?.seen.keysRead();
    return { ...shown(key), key: text };
  });

  app.get('/keys', { schema: { querystring: KeysQuery } }, ({ query, caller }) => {
    const { after = '', limit = defaultKeys, state: wanted = 'active' } = query;
    const found = keys
      .list()
      .filter((key) => key.id > after && sees(caller, key))
      .map((key) => shown(key))
      .filter(({ state }) => wanted === 'any' || state === wanted);
    const docs = found.slice(0, Number(limit));
    return { docs, after: found.length > docs.length ? (docs.at(-1)?.id ?? '') : '' };
  });

  app.delete('/keys/:id', async (request) => {
    const { id } = request.params as { id: string };
    const key = keys.get(id);
    if (key === undefined || !sees(request.caller, key)) throw keyNotFound();
    const isRevoked = await keys.revoke(id, request.caller.name, stillValid(request));
    if (!isRevoked) throw keyNotFound();
    await hops?.seen.keysRead();
    return { id };
  });
}

/** One with chats sees the keys within these chats alone: none that it could not have issued. */
const sees = ({ powers: { tenant, chats } }: Caller, key: IssuedKey): boolean =>
  (tenant === undefined || key.tenant === tenant) &&
  (chats === undefined || key.chats?.every((id) => chats.includes(id)) === true);

/** What is left out is as the issuer has it. @throws {GatewayError} 400 */
function wishOf(body: KeyBody, { powers, keyId }: Caller, now: number): KeyWish {
  const { name, scopes, tenant: given, expires: until } = body;
  const { sessions = powers.limits?.sessions, sendsPerDay = powers.limits?.sendsPerDay } = body.limits ?? {};
  const limits = { ...(sessions && { sessions }), ...(sendsPerDay && { sendsPerDay }) };
  const tenant = given || powers.tenant;
  const chats = body.chats ?? powers.chats;
  const expires = until ? readTime(until) : powers.expires;
  const faults = [
    ...(until && expires === undefined ? ['expires must be an ISO 8601 time'] : []),
    ...(expires !== undefined && expires <= now ? ['expires must be in the future'] : []),
    // They count the sessions of all tenants.
    ...(tenant !== undefined && scopes.includes('metrics') ? ['scopes must not have metrics with a tenant'] : []),
  ];
  if (faults.length > 0) throw new GatewayError(400, faults.join('\n'));
  return {
    name,
    scopes: [...new Set(scopes)],
    ...(tenant !== undefined && { tenant }),
    ...(expires !== undefined && { expires }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(chats !== undefined && { chats: [...new Set(chats)] }),
    ...(keyId !== undefined && { issuer: keyId }),
  };
}

function keyObject(key: IssuedKey, now: number): KeySchema {
  const { id, name, scopes, tenant = '', created, by, expires, revoked, limits = {}, chats = [] } = key;
  const times = { created: iso(created), by, expires: iso(expires), revoked: iso(revoked) };
  return { id, name, scopes, tenant, ...times, limits, chats, state: stateOfKey(key, now) };
}
