import type { KeyFilter } from '../rpc.ts';
import { permanentKeyOf, type ServerAuthKey } from './server-auth-key.ts';

interface ActiveFault {
  filter: KeyFilter | undefined;
}
interface TransportErrors extends ActiveFault {
  code: number;
  /** How many are left for a key that had none yet. */
  times: number;
  /** How many are left, by key. */
  left: Map<string, number>;
}
interface Delay extends ActiveFault {
  ms: number;
}

/** The network faults that are active. Connections and sessions ask here before they receive or send. */
export class NetworkFaults {
  /** Addresses that clients connect from: their connections are reset, or nothing gets through them. */
  private readonly cutOff = new Map<string, 'refuse' | 'blackhole'>();
  private refusing: ActiveFault | undefined;
  private swallowing: ActiveFault | undefined;
  private pongDelay: Delay | undefined;
  private answerHold: Delay | undefined;
  private transportErrors: TransportErrors | undefined;
  private announcement: (ActiveFault & { count: number }) | undefined;

  refuse(filter: KeyFilter | undefined): void {
    this.refusing = { filter };
  }

  blackhole(filter: KeyFilter | undefined): void {
    this.swallowing = { filter };
  }

  /** Cuts an address off, whatever keys are used there. */
  cutOffAddress(address: string, how: 'refuse' | 'blackhole'): void {
    this.cutOff.set(address, how);
  }

  acceptAddress(address: string): void {
    this.cutOff.delete(address);
  }

  accept(): void {
    this.refusing = undefined;
    this.swallowing = undefined;
    this.cutOff.clear();
  }

  slowPong(ms: number, filter: KeyFilter | undefined): void {
    this.pongDelay = ms > 0 ? { ms, filter } : undefined;
  }

  batchAnswers(ms: number, filter: KeyFilter | undefined): void {
    this.answerHold = ms > 0 ? { ms, filter } : undefined;
  }

  /** The next `times` connections of each key get a transport error as their first answer; 0 turns it off. */
  failFirst(code: number, times: number, filter: KeyFilter | undefined): void {
    this.transportErrors = times > 0 ? { code, times, filter, left: new Map() } : undefined;
  }

  /** The next `count` answers are announced by `msg_detailed_info` instead of sent; 0 turns it off. */
  announceAnswers(count: number, filter: KeyFilter | undefined): void {
    this.announcement = count > 0 ? { count, filter } : undefined;
  }

  clear(): void {
    this.accept();
    this.pongDelay = undefined;
    this.answerHold = undefined;
    this.transportErrors = undefined;
    this.announcement = undefined;
  }

  /** Whether to reset a connection from this address that uses this key, or has not used any yet. */
  refuses(key: ServerAuthKey | undefined, address: string): boolean {
    return hits(this.refusing, key) || this.cutOff.get(address) === 'refuse';
  }

  /** Whether to ignore what comes with this key or from this address, and send nothing to it. */
  swallows(key: ServerAuthKey | undefined, address: string): boolean {
    return hits(this.swallowing, key) || this.cutOff.get(address) === 'blackhole';
  }

  /** The transport error that answers the first packet with this key on a connection; it counts the connection. */
  takeTransportError(key: ServerAuthKey): number | undefined {
    const fault = this.transportErrors;
    if (!fault || !hits(fault, key)) return undefined;
    const left = fault.left.get(key.id) ?? fault.times;
    fault.left.set(key.id, left - 1);
    return left > 0 ? fault.code : undefined;
  }

  /** Whether to announce the next answer; it counts the answer. */
  takeAnnouncement(key: ServerAuthKey): boolean {
    if (!this.announcement || !hits(this.announcement, key)) return false;
    if (--this.announcement.count === 0) this.announcement = undefined;
    return true;
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
