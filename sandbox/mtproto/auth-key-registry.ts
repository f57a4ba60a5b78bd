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
  /** Of a permanent key: the temporary ones that speak for it. */
  readonly speakers: Set<ServerKey>;
  readonly sessions: Map<bigint, Session>;
}

export interface KeyRing {
  /** Undefined for a key that was never made here, has been forgotten, or has expired. */
  find(keyId: string): ServerKey | undefined;
  add(made: { secret: Buffer; dc: number; salt: bigint; expires: number | undefined }): ServerKey;
  /** Lets a temporary key speak for a permanent one until it expires (milliseconds since 1970). */
  bind(key: ServerKey, permanent: ServerKey, expires: number): void;
  /** To be called after each change of layer, device or salt. */
  changed(key: ServerKey): void;
  forget(key: ServerKey): void;
  all(): Iterable<ServerKey>;
  stored(): StoredKey[];
  readonly size: number;
}

/** The key that logins are bound to: a temporary key speaks for its permanent one. */
export const identityOf = (key: ServerKey): ServerKey => key.boundTo ?? key;

/** The sessions of a permanent key, those of temporary keys that speak for it among them. */
export function* sessionsOf(key: ServerKey): Generator<Session> {
  yield* key.sessions.values();
  for (const speaker of key.speakers) yield* speaker.sessions.values();
}

export const isTemporary = (key: ServerKey): boolean => key.expires !== undefined;

/** A key that nobody is logged in with, and no client is connected with, is forgotten at this age. */
const abandonedAfterMs = 24 * 3_600_000;

/** The low 64 bits of the SHA-1 of the secret. */
const idOf = (secret: Buffer): Buffer => Buffer.from(sha1(secret).subarray(12));

export const randomLong = (): bigint => randomBytes(8).readBigInt64LE();

export function createKeyRing(
  service: Pick<RpcService, 'keyChanged' | 'keyForgotten' | 'needsKey'>,
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
      speakers: new Set(),
      sessions: new Map(),
    };
    keys.set(key.id, key);
    return key;
  }

  function forget(key: ServerKey): void {
    if (!keys.delete(key.id)) return;
    service.keyForgotten?.(key.id);
    key.boundTo?.speakers.delete(key);
    for (const speaker of key.speakers) forget(speaker);
  }

  function find(keyId: string): ServerKey | undefined {
    const key = keys.get(keyId);
    if (key?.expires === undefined || key.expires > now()) return key;
    forget(key);
    return undefined;
  }

  /** Of clients that showed a QR code which nobody scanned, and never came back. */
  function forgetAbandoned(): void {
    const oldest = now() - abandonedAfterMs;
    for (const key of keys.values()) {
      if (key.created > oldest || key.speakers.size > 0 || (service.needsKey?.(key.id) ?? true)) continue;
      if (![...key.sessions.values()].some(({ connected }) => connected)) forget(key);
    }
  }

  function attach(key: ServerKey, permanent: ServerKey): void {
    key.boundTo?.speakers.delete(key);
    key.boundTo = permanent;
    permanent.speakers.add(key);
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
