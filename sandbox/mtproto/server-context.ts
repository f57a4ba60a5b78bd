import type { RsaKey } from '../crypto/rsa-key.ts';
import type { RpcService } from '../rpc.ts';
import type { AuthKeyRegistry } from './auth-key-registry.ts';
import type { NextMessageId } from './message-id.ts';
import type { NetworkFaults } from './network-faults.ts';

/** What all connections of a server share. */
export interface ServerContext {
  readonly service: RpcService;
  readonly keys: AuthKeyRegistry;
  readonly faults: NetworkFaults;
  readonly rsa: RsaKey;
  readonly nextMessageId: NextMessageId;
  /** Milliseconds since 1970. */
  now(): number;
  /** Counts since the start. */
  readonly counts: { accepted: number; handshakes: number; calls: number };
}
