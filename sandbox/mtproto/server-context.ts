import type { RsaKey } from '../crypto/rsa-key.ts';
import type { RpcService } from '../rpc.ts';
import type { AuthKeyRegistry } from './keys/auth-key-registry.ts';
import type { KeyUses } from './keys/key-uses.ts';
import type { NextMessageId } from './message-id.ts';
import type { NetworkFaults } from './network-faults.ts';

/** What all connections of a server share. */
export interface ServerContext {
  readonly service: RpcService;
  readonly keys: AuthKeyRegistry;
  readonly faults: NetworkFaults;
  readonly keyUses: KeyUses;
  readonly rsa: RsaKey;
  readonly nextMessageId: NextMessageId;
  /** Whether the data centre exists. */
  hasDc(dc: number): boolean;
  /** Milliseconds since 1970. */
  now(): number;
  /** The world's time, by which salts age: milliseconds since 1970. */
  worldNow(): number;
  /** Counts since the start. */
  readonly counts: { accepted: number; handshakes: number; calls: number };
}
