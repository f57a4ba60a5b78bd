import type { KeyFilter } from '../rpc.ts';
import { permanentKeyOf, type ServerAuthKey } from './server-auth-key.ts';

interface ActiveFault {
  filter: KeyFilter | undefined;
}
interface Delay extends ActiveFault {
  ms: number;
}

/** The network faults that are active. Connections and sessions ask here before they receive or send. */
export class NetworkFaults {
  private refusing: ActiveFault | undefined;
  private swallowing: ActiveFault | undefined;
  private pongDelay: Delay | undefined;
  private answerHold: Delay | undefined;

  refuse(filter: KeyFilter | undefined): void {
    this.refusing = { filter };
  }

  blackhole(filter: KeyFilter | undefined): void {
    this.swallowing = { filter };
  }

  accept(): void {
    this.refusing = undefined;
    this.swallowing = undefined;
  }

  slowPong(ms: number, filter: KeyFilter | undefined): void {
    this.pongDelay = ms > 0 ? { ms, filter } : undefined;
  }

  batchAnswers(ms: number, filter: KeyFilter | undefined): void {
    this.answerHold = ms > 0 ? { ms, filter } : undefined;
  }

  clear(): void {
    this.accept();
    this.pongDelay = undefined;
    this.answerHold = undefined;
  }

  /** Whether to reset a connection that uses this key, or has not used any yet. */
  refuses(key: ServerAuthKey | undefined): boolean {
    return hits(this.refusing, key);
  }

  /** Whether to ignore what comes with this key and send nothing to it. */
  swallows(key: ServerAuthKey | undefined): boolean {
    return hits(this.swallowing, key);
  }

  pongDelayMs(key: ServerAuthKey): number {
    return this.pongDelay && hits(this.pongDelay, key) ? this.pongDelay.ms : 0;
  }

  holdMs(key: ServerAuthKey): number {
    return this.answerHold && hits(this.answerHold, key) ? this.answerHold.ms : 0;
  }
}

/** A fault without a filter also hits connections that have not used a key yet. */
function hits(fault: ActiveFault | undefined, key: ServerAuthKey | undefined): boolean {
  if (!fault) return false;
  if (!fault.filter) return true;
  return key !== undefined && fault.filter(permanentKeyOf(key));
}
