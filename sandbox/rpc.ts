/**
 * The interface between the two halves of the sandbox: the protocol (`tl`, `crypto`, `net`, `mtproto`) and what
 * Telegram knows and does (`world`, `api`).
 *
 * A TL object is a plain object: `{ _: 'peerUser', user_id: 1001n }`. Its names are the schema's. A `long` is a bigint,
 * an `int` or `double` a number, `bytes` a Buffer, a `Bool` or `flags.N?true` a boolean, a vector an array. It is
 * written in the layer of the key: fields that the layer does not have are left out, and missing required scalars
 * become zero values.
 */
export interface TlObject {
  _: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the schema decides the field's type, not this program
  [field: string]: any;
}

/** Thrown by a handler: the call is answered with an `rpc_error`. */
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

/** An auth key of one data centre. A login is bound to one. */
export interface AuthKey {
  /** 16 hex digits. */
  readonly id: string;
  readonly dc: number;
  /** The last one that `invokeWithLayer` named; 0 if there was none. */
  layer: number;
  /** From `initConnection`. */
  device: { apiId: number; model: string; systemVersion: string; appVersion: string; langCode: string } | undefined;
  /** Milliseconds since 1970. */
  readonly created: number;
}

/** A call as a handler gets it: the method with its own parameters, without wrappers. */
export interface RpcCall {
  readonly method: string;
  readonly params: TlObject;
  readonly key: AuthKey;
  readonly dc: number;
  readonly layer: number;
  /** The MTProto session that called. */
  readonly sessionId: bigint;
}

/** Returned by a handler: the call has been carried out, but the client gets no answer. */
export const noAnswer = Symbol('noAnswer');

/** A TL object, a `Bool`, a vector (of objects, or of the `int`, `long`, … that the method declares), or no answer. */
export type TlResult = TlObject | boolean | readonly unknown[] | typeof noAnswer;
export type RpcHandler = (call: RpcCall) => TlResult | Promise<TlResult>;

/** An auth key with its secret as plain JSON: all that a restarted server needs to use the key again. */
export interface StoredKey {
  /** 16 hex digits. */
  id: string;
  dc: number;
  /** The 256 bytes of the key, base64. */
  secret: string;
  /** The first server salt of the series, decimal. */
  salt: string;
  /** When the series began: milliseconds of the world's clock. Older journals lack it. */
  saltFrom?: number;
  layer: number;
  device: AuthKey['device'];
  /** Milliseconds since 1970. */
  created: number;
  /** Temporary keys only: milliseconds since 1970. */
  expires?: number;
  /** Temporary keys only: the ID of the permanent key that it was bound to. */
  boundTo?: string;
}

export type KeyFilter = (key: AuthKey) => boolean;

/** Forms of a push that a client cannot read: alone, inside `updateShort`, or packed. */
export const pushShapes = ['lone', 'short', 'gzipped'] as const;
export type PushShape = (typeof pushShapes)[number];

interface ProtocolStats {
  /** Open TCP connections. */
  connections: number;
  /** Since the start: connections accepted, keys made, calls received. */
  accepted: number;
  handshakes: number;
  calls: number;
  /** Auth keys and MTProto sessions that are kept now. */
  keys: number;
  sessions: number;
  /** Messages that connected clients have not acknowledged yet. */
  unacknowledged: number;
}

/**
 * What the world needs of the protocol: implemented by `mtproto/protocol-server.ts`. Keys are always permanent ones,
 * even if the client uses a temporary key (PFS). A fault without a filter hits every connection, including those that
 * have not used a key yet. A fault stays active until it is turned off.
 */
export interface ProtocolServer {
  /**
   * Pushes an `Updates` object to every session of these keys that takes updates, in the layer of each key.
   * `exceptSession` is the session that caused the updates and has them in its answer.
   */
  push(keyIds: Iterable<string>, updates: TlObject, exceptSession?: bigint): void;
  /** Forgets a key and cuts its connections. The client gets -404 from then on. */
  forgetKey(keyId: string): void;
  /** Forgets the temporary keys that are bound to this permanent one, except those named. Connections stay open. */
  forgetTemporaryKeys(keyId: string, except: ReadonlySet<string>): void;
  /** A key was logged out. It stays valid; of many such keys the oldest are forgotten. */
  retireKey(keyId: string): void;
  /** Cuts the connections of these keys, or all connections. */
  cut(keyIds?: Iterable<string>): void;
  /** Resets new connections; with a filter, as soon as they use a key that it matches. */
  refuse(filter?: KeyFilter): void;
  /** Keeps connections open, ignores everything that arrives (pings too) and sends nothing. */
  blackhole(filter?: KeyFilter): void;
  /** The same for all that connects from an address: `refuse` cuts its connections too. */
  cutOff(address: string, how: 'refuse' | 'blackhole'): void;
  /**
   * Turns off `refuse` and `blackhole`, of all or of one address. Messages that were ignored stay lost; those that were held
   * back are sent.
   */
  accept(address?: string): void;
  /** Delays pongs by `ms`; 0 turns it off. */
  slowPong(ms: number, filter?: KeyFilter): void;
  /** Holds answers, errors and updates for `ms` after the first, so that they share a container; 0 turns it off. */
  batchAnswers(ms: number, filter?: KeyFilter): void;
  /** Changes the salts of the keys: the next message of each client gets `bad_server_salt`, once. */
  badSalt(filter?: KeyFilter): void;
  /** Forgets layer and device of the keys: calls get 400 CONNECTION_NOT_INITED until the client names them again. */
  forgetClient(filter?: KeyFilter): void;
  /** The next `count` updates pushed to these keys are lost, sent twice, or sent in reverse order. */
  loseUpdates(count: number, filter?: KeyFilter): void;
  duplicateUpdates(count: number, filter?: KeyFilter): void;
  reorderUpdates(count: number, filter?: KeyFilter): void;
  /**
   * Sends a transport error in plain text to each open connection of these keys. The next `times` - 1 connections of
   * each key get it as their first answer.
   */
  transportError(code: number, times: number, filter?: KeyFilter): void;
  /** Forgets the MTProto sessions of the keys, as a server does that restarts; connections stay open. */
  forgetSessions(filter?: KeyFilter): void;
  /** The next `count` answers are announced by `msg_detailed_info` or `msg_new_detailed_info`: the client has to ask for them. */
  announceAnswers(count: number, filter?: KeyFilter): void;
  /** The next `count` updates pushed to these keys have a constructor that no known layer has. */
  unknownUpdate(count: number, shape: PushShape | 'unreadable', filter?: KeyFilter): void;
  /** Turns off all faults. */
  clearFaults(): void;
  stats(): ProtocolStats;
}

/** What the protocol needs of the world: implemented by `api/rpc-service.ts`. */
export interface RpcService {
  /** Answers, or throws an RpcError. Every other error is answered as 500 INTERNAL. */
  call: RpcHandler;
  /**
   * A key was made, or has changed (layer, device, salt, binding), and should be stored. The answer to the client is
   * sent after this returns: what is stored is never behind what a client knows.
   */
  keyChanged?(key: AuthKey, stored: StoredKey): void;
  /** A key was destroyed by its client, was forgotten, or has expired. */
  keyForgotten?(keyId: string): void;
  /** Whether a login uses the key: it is then kept even if its client stays away. */
  isKeyInUse?(keyId: string): boolean;
  /** A key is used from two addresses at the same time: its login ends. */
  keyDuplicated?(keyId: string): void;
  /** A defect of the sandbox: a handler threw an unexpected error, or no schema can write an object. */
  onDefect?(context: string, error: unknown): void;
}
