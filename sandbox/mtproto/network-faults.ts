import type { KeyFilter } from '../rpc.ts';
import { identityOf, type ServerKey } from './auth-key-registry.ts';

type Switch = { filter: KeyFilter | undefined } | undefined;

/** The faults that are switched on; what a session or a connection has to ask before it goes on. */
export class Faults {
  private refusing: Switch;
  private swallowing: Switch;
  private slow: { ms: number; filter: KeyFilter | undefined } | undefined;
  private hold: { ms: number; filter: KeyFilter | undefined } | undefined;

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
    this.slow = ms > 0 ? { ms, filter } : undefined;
  }

  batchAnswers(ms: number, filter: KeyFilter | undefined): void {
    this.hold = ms > 0 ? { ms, filter } : undefined;
  }

  clear(): void {
    this.accept();
    this.slow = undefined;
    this.hold = undefined;
  }

  /** Whether a connection that shows this key, or none yet, is to be reset. */
  refuses(key: ServerKey | undefined): boolean {
    return hits(this.refusing, key);
  }

  /** Whether nothing is to be heard from, or sent to, the owner of this key. */
  swallows(key: ServerKey | undefined): boolean {
    return hits(this.swallowing, key);
  }

  pongDelayMs(key: ServerKey): number {
    return this.slow && hits(this.slow, key) ? this.slow.ms : 0;
  }

  holdMs(key: ServerKey): number {
    return this.hold && hits(this.hold, key) ? this.hold.ms : 0;
  }
}

/** A fault without a filter hits those too who have not shown a key. */
function hits(fault: Switch, key: ServerKey | undefined): boolean {
  if (!fault) return false;
  if (!fault.filter) return true;
  return key !== undefined && fault.filter(identityOf(key));
}
