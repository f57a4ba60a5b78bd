import { randomBytes } from 'node:crypto';
import { sha1 } from '../crypto/hash.ts';
import type { AuthKey, RpcService, StoredKey } from '../rpc.ts';
import type { Session } from './session.ts';

/** An authorisation key with what only the protocol may know of it. */
export interface ServerKey extends AuthKey {
  readonly idBytes: Buffer;
  readonly secret: Buffer;
  salt: bigint;
  /** Of a temporary key (PFS): milliseconds since 1970. */
  expires: number | undefined;
  /** Of a temporary key: the permanent one that it speaks for. */
  boundTo: ServerKey | undefined;
  readonly sessions: Map<bigint, Session>;
}

export interface KeyRing {
  /** Undefined for a key that was never made here, has been forgotten, or has expired. */
  find(keyId: string): ServerKey | undefined;
  add(made: { secret: Buffer; dc: number; salt: bigint; expires: number | undefined }): ServerKey;
  /** To be called after each change of layer, device, salt or binding. */
  changed(key: ServerKey): void;
  forget(key: ServerKey): void;
  all(): Iterable<ServerKey>;
  stored(): StoredKey[];
  readonly size: number;
}

/** The key that logins are bound to: a temporary key speaks for its permanent one. */
export const identityOf = (key: ServerKey): ServerKey => key.boundTo ?? key;

export const isTemporary = (key: ServerKey): boolean => key.expires !== undefined;

/** The low 64 bits of the SHA-1 of the secret. */
const idOf = (secret: Buffer): Buffer => Buffer.from(sha1(secret).subarray(12));

export const randomLong = (): bigint => randomBytes(8).readBigInt64LE();

export function createKeyRing(
  service: Pick<RpcService, 'keyChanged' | 'keyForgotten'>,
  now: () => number,
  stored: Iterable<StoredKey> = [],
): KeyRing {
  const keys = new Map<string, ServerKey>();

  function restore(entry: StoredKey): ServerKey {
    const secret = Buffer.from(entry.secret, 'base64');
    const key: ServerKey = {
      id: entry.id,
      idBytes: idOf(secret),
      secret,
      dc: entry.dc,
      layer: entry.layer,
      device: entry.device,
      created: entry.created,
      salt: BigInt(entry.salt),
      expires: entry.expires,
      boundTo: undefined,
      sessions: new Map(),
    };
    keys.set(key.id, key);
    return key;
  }

  function forget(key: ServerKey): void {
    if (!keys.delete(key.id)) return;
    service.keyForgotten?.(key.id);
    for (const other of [...keys.values()]) if (other.boundTo === key) forget(other);
  }

  const entries = [...stored];
  for (const entry of entries) restore(entry);
  for (const { id, boundTo } of entries) {
    const key = keys.get(id);
    if (key && boundTo !== undefined) key.boundTo = keys.get(boundTo);
  }

  return {
    find(keyId) {
      const key = keys.get(keyId);
      if (key?.expires === undefined || key.expires > now()) return key;
      forget(key);
      return undefined;
    },
    add({ secret, dc, salt, expires }) {
      const id = idOf(secret).toString('hex');
      const entry = { id, dc, secret: secret.toString('base64'), salt: salt.toString(), layer: 0, device: undefined };
      const key = restore({ ...entry, created: now(), ...(expires === undefined ? {} : { expires }) });
      service.keyChanged?.(key, toStored(key));
      return key;
    },
    changed: (key) => service.keyChanged?.(key, toStored(key)),
    forget,
    all: () => keys.values(),
    stored: () => Array.from(keys.values(), toStored),
    get size() {
      return keys.size;
    },
  };
}

function toStored(key: ServerKey): StoredKey {
  return {
    id: key.id,
    dc: key.dc,
    secret: key.secret.toString('base64'),
    salt: key.salt.toString(),
    layer: key.layer,
    device: key.device,
    created: key.created,
    ...(key.expires === undefined ? {} : { expires: key.expires }),
    ...(key.boundTo === undefined ? {} : { boundTo: key.boundTo.id }),
  };
}
