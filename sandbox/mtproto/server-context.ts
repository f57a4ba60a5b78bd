import type { RsaKey } from '../crypto/rsa-key.ts';
import type { RpcService } from '../rpc.ts';
import type { KeyRing } from './auth-key-registry.ts';
import type { MessageIds } from './message-id.ts';
import type { Faults } from './network-faults.ts';

/** What all the connections of a server share. */
export interface ServerContext {
  readonly service: RpcService;
  readonly keys: KeyRing;
  readonly faults: Faults;
  readonly rsa: RsaKey;
  readonly nextMessageId: MessageIds;
  /** Milliseconds since 1970. */
  now(): number;
  /** Counts since the start. */
  readonly counts: { accepted: number; handshakes: number; calls: number };
  /** Forgets a key and cuts the connections that use it. */
  forgetKey(keyId: string): void;
}
