import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../../actors/ports/event-codec.ts';

/** What the events of `vault-{id}` hold: the last one is the whole of it. */
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
/** Whose vault it is: `stream` begins with {@link vaultPrefix}. */
export const vaultOwner = (stream: string): string => stream.slice(vaultPrefix.length);

const record = Type.Object({ key: Type.String(), login: Type.Union([Type.String(), Type.Null()]) });
const data = { KeyCreated: record, LoginSaved: record, LoginDropped: record };
const metadata = Type.Object({});

/** An event of a vault, read and found whole. */
export type RecordedVaultEvent = Placed<VaultEventContent>;

/** Reads the events of `vault-{id}`. */
export const vaultCodec = createEventCodec<VaultEventContent, typeof data, typeof metadata>({
  kind: 'vault',
  upcasters: [],
  data,
  metadata,
});
