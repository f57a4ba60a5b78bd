import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../../actors/ports/event-codec.ts';

/** Content of an event of `vault-{id}`: the last one is the complete state. */
export interface VaultRecord {
  /** The data key of the session, wrapped by a master key. */
  key: string;
  /** The sealed login; null if there is none. */
  login: string | null;
}

export type VaultFact = 'KeyCreated' | 'LoginSaved' | 'LoginDropped';
type VaultEventContent = { [T in VaultFact]: { type: T; data: VaultRecord; metadata: object } }[VaultFact];

export const vaultPrefix = 'vault-';
export const vaultStream = (sessionId: string): string => `${vaultPrefix}${sessionId}`;
/** The session ID of a vault's stream. */
export const vaultOwner = (stream: string): string => stream.slice(vaultPrefix.length);

const record = Type.Object({ key: Type.String(), login: Type.Union([Type.String(), Type.Null()]) });
const data = { KeyCreated: record, LoginSaved: record, LoginDropped: record };
const metadata = Type.Object({});

/** A decoded event of a vault. */
export type RecordedVaultEvent = Placed<VaultEventContent>;

/** Reads the events of `vault-{id}`. */
export const vaultCodec = createEventCodec<VaultEventContent, typeof data, typeof metadata>({
  kind: 'vault',
  upcasters: [],
  data,
  metadata,
});
