import { Type } from 'typebox';
import { createEventCodec, type Placed, type Upcaster } from '../../../actors/ports/event-codec.ts';

/** Content of an event of `vault-{id}`: the last one is the complete state. */
export interface VaultRecord {
  /** The data key of the session, wrapped by a master key. */
  key: string;
  /** The sealed login; null if there is none. */
  login: string | null;
}

/** Content of the only event of `vault-{id}.log-out`: what is left of a deleted session until it is logged out. */
export interface LogOutRecord {
  /** A data key of its own, wrapped by a master key. */
  key: string;
  /** As much of the login as the log-out needs, sealed with that key. */
  login: string;
  /** When it is given up, milliseconds since 1970. */
  until: number;
}

export type VaultFact = 'KeyCreated' | 'LoginSaved' | 'LoginDropped';
type VaultEventContent =
  | { [T in VaultFact]: { type: T; data: VaultRecord; metadata: object } }[VaultFact]
  | { type: 'LogOutKept'; data: LogOutRecord; metadata: object };

export const vaultPrefix = 'vault-';
export const vaultStream = (sessionId: string): string => `${vaultPrefix}${sessionId}`;
/** Beside the vault, so that the vault is erased as a whole. */
export const logOutStream = (sessionId: string): string => `${vaultStream(sessionId)}${logOutSuffix}`;
const logOutSuffix = '.log-out';
export const isLogOutStream = (stream: string): boolean => stream.endsWith(logOutSuffix);
/** The session ID of either stream. */
export const vaultOwner = (stream: string): string =>
  stream.slice(vaultPrefix.length, isLogOutStream(stream) ? -logOutSuffix.length : undefined);

const record = Type.Object({ key: Type.String(), login: Type.Union([Type.String(), Type.Null()]) });
const logOut = Type.Object({ key: Type.String(), login: Type.String(), until: Type.Number() });
const data = { KeyCreated: record, LoginSaved: record, LoginDropped: record, LogOutKept: logOut };
const metadata = Type.Object({});

/** A decoded event of a vault. */
export type RecordedVaultEvent<T extends VaultEventContent['type'] = VaultEventContent['type']> = Placed<
  Extract<VaultEventContent, { type: T }>
>;

/** Version 2 added `LogOutKept`; the other events stayed as they were. */
const asItWas: Upcaster = (event) => event;

/** Reads the events of `vault-{id}` and `vault-{id}.log-out`. */
export const vaultCodec = createEventCodec<VaultEventContent, typeof data, typeof metadata>({
  kind: 'vault',
  upcasters: [asItWas],
  data,
  metadata,
});
