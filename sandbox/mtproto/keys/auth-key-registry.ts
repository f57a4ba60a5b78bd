import { sha1 } from '../../crypto/hash.ts';
import type { RpcService, StoredKey } from '../../rpc.ts';
import type { ServerAuthKey } from '../server-auth-key.ts';

/** The auth keys of all data centres. */
export interface AuthKeyRegistry {
  /** Undefined if the key was not made here, was forgotten, or has expired. */
  find(keyId: string): ServerAuthKey | undefined;
  add(made: { secret: Buffer; dc: number; salt: bigint; expires: number | undefined }): ServerAuthKey;
  /** Binds a temporary key to a permanent one until it expires (milliseconds since 1970). */
  bind(key: ServerAuthKey, permanent: ServerAuthKey, expires: number): void;
  /** To be called after each change of a key's layer, device or salt. */
  changed(key: ServerAuthKey): void;
  forget(key: ServerAuthKey): void;
  /** To be called when a key was logged out: of many such keys the oldest are forgotten once they are not connected. */
  retire(key: ServerAuthKey): void;
  all(): Iterable<ServerAuthKey>;
  stored(): StoredKey[];
  readonly size: number;
}

/** A key of this age is forgotten unless it is logged in or connected. */
const ABANDONED_AFTER_MS = 24 * 3_600_000;
/** Keys that were logged out and may still come back: a client may log in again with its key. */
const MAX_RETIRED_KEYS = 100;

/** The low 64 bits of the SHA-1 of the secret. */
const idOf = (secret: Buffer): Buffer => Buffer.from(sha1(secret).subarray(12));

/**
 * `service` is called on every change; `stored` are the keys of an earlier run; `worldNow` is the time by which salts
 * age.
 */
export function createAuthKeyRegistry(
  service: Pick<RpcService, 'keyChanged' | 'keyForgotten' | 'isKeyInUse'>,
  now: () => number,
  stored: Iterable<StoredKey> = [],
  worldNow = now,
): AuthKeyRegistry {
  const keys = new Map<string, ServerAuthKey>();
  /** The latest one last. */
  const retired = new Set<ServerAuthKey>();

  function restore(entry: StoredKey): ServerAuthKey {
    const secret = Buffer.from(entry.secret, 'base64');
    const key: ServerAuthKey = {
      id: entry.id,
      idBytes: idOf(secret),
      secret,
      dc: entry.dc,
      layer: entry.layer,
      device: entry.device,
      created: entry.created,
      salt: BigInt(entry.salt),
      saltFrom: entry.saltFrom ?? worldNow(),
      expires: entry.expires,
      boundTo: undefined,
      temporaryKeys: new Set(),
      sessions: new Map(),
    };
    keys.set(key.id, key);
    return key;
  }

  function forget(key: ServerAuthKey): void {
    if (!keys.delete(key.id)) return;
    retired.delete(key);
    service.keyForgotten?.(key.id);
    key.boundTo?.temporaryKeys.delete(key);
    for (const temporaryKey of key.temporaryKeys) forget(temporaryKey);
  }

  function find(keyId: string): ServerAuthKey | undefined {
    const key = keys.get(keyId);
    if (key?.expires === undefined || key.expires > now()) return key;
    forget(key);
    return undefined;
  }

  /** Keys of clients that showed a QR code, were not logged in and never came back. */
  function forgetAbandoned(): void {
    const oldest = now() - ABANDONED_AFTER_MS;
    for (const key of keys.values()) {
      if (key.created > oldest || key.temporaryKeys.size > 0 || (service.isKeyInUse?.(key.id) ?? true)) continue;
      if (!isConnected(key)) forget(key);
    }
  }

  function forgetRetired(): void {
    for (const key of [...retired].slice(0, -MAX_RETIRED_KEYS)) {
      if (service.isKeyInUse?.(key.id) ?? true) retired.delete(key);
      else if (!isConnected(key)) forget(key);
    }
  }

  function attach(key: ServerAuthKey, permanent: ServerAuthKey): void {
    key.boundTo?.temporaryKeys.delete(key);
    key.boundTo = permanent;
    permanent.temporaryKeys.add(key);
  }

  const entries = [...stored];
  for (const entry of entries) restore(entry);
  for (const { id, boundTo } of entries) {
    const key = keys.get(id);
    const permanent = boundTo === undefined ? undefined : keys.get(boundTo);
    if (key && permanent) attach(key, permanent);
  }

  return {
    find,
    add({ secret, dc, salt, expires }) {
      if (expires !== undefined) for (const { id } of keys.values()) find(id);
      forgetAbandoned();
      const id = idOf(secret).toString('hex');
      const entry = { id, dc, secret: secret.toString('base64'), salt: salt.toString(), layer: 0, device: undefined };
      const key = restore({ ...entry, created: now(), ...(expires === undefined ? {} : { expires }) });
      service.keyChanged?.(key, toStored(key));
      return key;
    },
    bind(key, permanent, expires) {
      attach(key, permanent);
      key.expires = Math.min(key.expires ?? expires, expires);
      service.keyChanged?.(key, toStored(key));
    },
    changed: (key) => service.keyChanged?.(key, toStored(key)),
    forget,
    retire(key) {
      retired.delete(key);
      retired.add(key);
      forgetRetired();
    },
    all: () => keys.values(),
    stored: () => Array.from(keys.values(), toStored),
    get size() {
      return keys.size;
    },
  };
}

function isConnected({ sessions }: ServerAuthKey): boolean {
  return [...sessions.values()].some((session) => session.isConnected);
}

function toStored(key: ServerAuthKey): StoredKey {
  return {
    id: key.id,
    dc: key.dc,
    secret: key.secret.toString('base64'),
    salt: key.salt.toString(),
    saltFrom: key.saltFrom,
    layer: key.layer,
    device: key.device,
    created: key.created,
    ...(key.expires === undefined ? {} : { expires: key.expires }),
    ...(key.boundTo === undefined ? {} : { boundTo: key.boundTo.id }),
  };
}
