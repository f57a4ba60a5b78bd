import type { AuthKey } from '../rpc.ts';
import type { MtprotoMessage } from './container.ts';
import type { OutgoingMessages } from './outgoing-messages.ts';
import type { ReceivedMessages } from './received-messages.ts';

/** An auth key together with what only the protocol may know: its secret, its salt and its sessions. */
export interface ServerAuthKey extends AuthKey {
  /** The 8 bytes of `id`, as envelopes carry them. */
  readonly idBytes: Buffer;
  /** 256 bytes. */
  readonly secret: Buffer;
  /** The first salt of the series; the current one follows from the time: `server-salts.ts`. */
  salt: bigint;
  /** When the series began: milliseconds of the world's clock. */
  saltFrom: number;
  /** Temporary keys (PFS) only: milliseconds since 1970. */
  expires: number | undefined;
  /** Temporary keys only: the permanent key that this one was bound to. */
  boundTo: ServerAuthKey | undefined;
  /** Permanent keys only: the temporary keys that were bound to this one. */
  readonly temporaryKeys: Set<ServerAuthKey>;
  readonly sessions: Map<bigint, Session>;
}

/** One MTProto session of a key. It outlives its connection: what a lost connection took along is sent again. */
export interface Session {
  readonly id: bigint;
  readonly key: ServerAuthKey;
  readonly received: ReceivedMessages;
  readonly outgoing: OutgoingMessages;
  /** Set by the first call that is not wrapped in `invokeWithoutUpdates`. */
  takesUpdates: boolean;
  readonly isConnected: boolean;
  /** Adds the session to those of its key; the oldest one makes room if there are too many. */
  register(): void;
  /** From now on the session is answered over this connection: the last one that the client used. */
  attach(connection: SessionConnection): void;
  detach(connection: SessionConnection): void;
  /** The server forgets the session: nothing is sent for it any more. */
  drop(): void;
}

/** What a session and its messages need of the connection that they came over. */
export interface SessionConnection {
  /** The address that the client connects from. */
  readonly address: string;
  send(session: Session, message: MtprotoMessage): void;
  /** Closes the connection after this time unless called again before: `ping_delay_disconnect`. */
  disconnectAfter(seconds: number): void;
}

/** The key that logins are bound to: the key itself, or the permanent one that a temporary key was bound to. */
export const permanentKeyOf = (key: ServerAuthKey): ServerAuthKey => key.boundTo ?? key;

export const isTemporary = (key: ServerAuthKey): boolean => key.expires !== undefined;

/** The sessions of a permanent key and of the temporary keys that are bound to it. */
export function* sessionsOf(key: ServerAuthKey): Generator<Session> {
  yield* key.sessions.values();
  for (const temporaryKey of key.temporaryKeys) yield* temporaryKey.sessions.values();
}
