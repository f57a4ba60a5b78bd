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

export type RpcHandler = (call: RpcCall) => TlResult | Promise<TlResult>;
/** An object, a bare `Bool`, or a bare vector. */
export type TlResult = TlObject | boolean | readonly unknown[];

/** What the world needs of the protocol: implemented by `mtproto/server.ts`. */
export interface ProtocolServer {
  /** Pushes an `Updates` object to every session of these keys that takes updates; encoded in each key's own layer. */
  push(keyIds: Iterable<string>, updates: TlObject): void;
  /** Forgets a key and cuts its connections: the client gets -404 from then on. */
  forgetKey(keyId: string): void;
  /** Cuts the connections of these keys, or all. */
  cut(keyIds?: Iterable<string>): void;
}

/** What the protocol needs of the world: implemented by `api/`. */
export interface RpcService {
  /** Answers, or throws an RpcError. Anything else that it throws is answered as 500 INTERNAL. */
  call: RpcHandler;
  /** A new key has been made, or has changed (layer, device): the place to write it down. */
  keyChanged?(key: AuthKey): void;
}
