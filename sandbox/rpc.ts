/**
 * The seam of the sandbox: below it the protocol (`tl`, `crypto`, `net`, `mtproto`), above it what Telegram knows and
 * does (`world`, `api`). A TL object is a plain one: `{ _: 'peerUser', user_id: 1001n }`; names are the schema's own,
 * `long` is a bigint, `int` and `double` a number, `bytes` a Buffer, `Bool` a boolean, `flags.N?true` a boolean,
 * a vector an array. The codec of the key's own layer writes it: fields that a layer does not know are left out, and
 * left-out required scalars become zero values.
 */
export interface TlObject {
  _: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema decides the field's type, not this program
  [field: string]: any;
}

/** What a handler throws to answer with an `rpc_error`. */
export class RpcError extends Error {
  override name = 'RpcError';
  readonly code: number;
  readonly text: string;

  constructor(code: number, text: string) {
    super(`${code} ${text}`);
    this.code = code;
    this.text = text;
  }
}

/** One authorisation key of one data centre: what a login is bound to. */
export interface AuthKey {
  /** 16 hex digits. */
  readonly id: string;
  readonly dc: number;
  /** Of `invokeWithLayer`; kept over reconnects. */
  layer: number;
  /** What `initConnection` said of the device. */
  device: { apiId: number; model: string; systemVersion: string; appVersion: string; langCode: string } | undefined;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** A call as a handler sees it: the method's own parameters, every wrapper peeled off. */
export interface RpcCall {
  readonly method: string;
  readonly params: TlObject;
  readonly key: AuthKey;
  readonly dc: number;
  readonly layer: number;
  /** The MTProto session that called. */
  readonly sessionId: bigint;
}

/** Returned by a handler that has done its work and wants the client to never hear of it. */
export const noAnswer = Symbol('noAnswer');

/** An object, a bare `Bool`, a vector (of objects, or of the method's own `int`, `long`, …), or no answer at all. */
export type TlResult = TlObject | boolean | readonly unknown[] | typeof noAnswer;
export type RpcHandler = (call: RpcCall) => TlResult | Promise<TlResult>;

/** A key with its secret, as it is written down: JSON-able, and all that is needed to serve the key again. */
export interface StoredKey {
  /** 16 hex digits. */
  id: string;
  dc: number;
  /** The 256 bytes of the key, base64. */
  secret: string;
  /** The current server salt, decimal. */
  salt: string;
  layer: number;
  device: AuthKey['device'];
  /** Milliseconds since 1970. */
  created: number;
  /** Temporary keys only: milliseconds since 1970. */
  expires?: number;
  /** Temporary keys only: the permanent key that it was bound to. */
  boundTo?: string;
}

export type KeyFilter = (key: AuthKey) => boolean;

interface ProtocolStats {
  /** Open TCP connections. */
  connections: number;
  /** Connections opened, keys made and calls received since the start. */
  accepted: number;
  handshakes: number;
  calls: number;
  /** Keys known and MTProto sessions remembered. */
  keys: number;
  sessions: number;
}

/**
 * What the world needs of the protocol: implemented by `mtproto/server.ts`. The key that a caller sees is always the
 * permanent one, also where the client talks through a temporary key (PFS). Faults without a filter hit everyone,
 * those who have not shown a key yet included; a fault stays until it is called off.
 */
export interface ProtocolServer {
  /**
   * Pushes an `Updates` object to every session of these keys that takes updates; encoded in each key's own layer.
   * The session that caused it may be left out: it has the same in its answer.
   */
  push(keyIds: Iterable<string>, updates: TlObject, exceptSession?: bigint): void;
  /** Forgets a key and cuts its connections: the client gets -404 from then on. */
  forgetKey(keyId: string): void;
  /** Cuts the connections of these keys, or all. */
  cut(keyIds?: Iterable<string>): void;
  /** New connections are reset; with a filter, as soon as they show a key that it names. */
  refuse(filter?: KeyFilter): void;
  /** Connections stay open and everything that arrives is swallowed, pings included; nothing is sent. */
  blackhole(filter?: KeyFilter): void;
  /** Calls off `refuse` and `blackhole`; what a black hole has swallowed is gone, what it held back is sent. */
  accept(): void;
  /** Pongs come `ms` late; 0 calls it off. */
  slowPong(ms: number, filter?: KeyFilter): void;
  /** Answers and updates are held for `ms` after the first, so that several, errors too, share one container; 0: off. */
  batchAnswers(ms: number, filter?: KeyFilter): void;
  /** Changes the salt of the keys: the next message of each is answered with `bad_server_salt`, once. */
  badSalt(filter?: KeyFilter): void;
  /** The next `count` updates pushed to a session of these keys are lost, sent twice, or sent in reverse order. */
  loseUpdates(count: number, filter?: KeyFilter): void;
  duplicateUpdates(count: number, filter?: KeyFilter): void;
  reorderUpdates(count: number, filter?: KeyFilter): void;
  /** Calls off every fault. */
  clearFaults(): void;
  stats(): ProtocolStats;
}

/** What the protocol needs of the world: implemented by `api/`. */
export interface RpcService {
  /** Answers, or throws an RpcError. Anything else that it throws is answered as 500 INTERNAL. */
  call: RpcHandler;
  /**
   * A key has been made, or has changed (layer, device, salt, binding): the place to write it down. Runs to its end
   * before the answer that tells the client goes out, so what is written here is never behind what a client knows.
   */
  keyChanged?(key: AuthKey, stored: StoredKey): void;
  /** A key is gone: destroyed by its client, forgotten, or expired. */
  keyForgotten?(keyId: string): void;
  /** Whether a key is worth keeping when its client has been away for long: somebody is logged in with it. */
  needsKey?(keyId: string): boolean;
  /** Something that only a defect of the sandbox explains: a handler that threw, an object that no schema can write. */
  failed?(context: string, error: unknown): void;
}
