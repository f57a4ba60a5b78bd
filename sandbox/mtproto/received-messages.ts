/** What has become of a message that was received. */
export type MessageState = 'received' | 'running' | 'done' | 'failed';

/** So many ids of a session are remembered; a message that comes again later than that counts as new. */
const REMEMBERED_IDS = 500;

/** The messages of one session that have come in: which have been seen, and what became of the calls among them. */
export class Inbox {
  /** Calls under way whose answers the client has said that it does not want. */
  readonly unwanted = new Set<bigint>();
  private readonly states = new Map<bigint, MessageState>();
  private readonly waiters = new Map<bigint, ((done: boolean) => void)[]>();
  private highest = { id: 0n, seqno: 0 };

  stateOf(id: bigint): MessageState | undefined {
    return this.states.get(id);
  }

  receive(id: bigint, seqno: number): void {
    this.states.set(id, 'received');
    if (this.states.size > REMEMBERED_IDS) this.forgetOldest();
    if (id > this.highest.id) this.highest = { id, seqno };
  }

  /** Too low (32) or too high (33) beside the newest message; https://core.telegram.org/mtproto/service_messages_about_messages */
  faultOfSeqno(id: bigint, seqno: number): 32 | 33 | undefined {
    if (id > this.highest.id) return seqno < this.highest.seqno ? 32 : undefined;
    return seqno > this.highest.seqno ? 33 : undefined;
  }

  isBeyondMemory(id: bigint): boolean {
    return id > this.highest.id;
  }

  started(id: bigint): void {
    this.states.set(id, 'running');
  }

  finished(id: bigint, success: boolean): void {
    if (this.states.has(id)) this.states.set(id, success ? 'done' : 'failed');
    for (const resolve of this.waiters.get(id) ?? []) resolve(success);
    this.waiters.delete(id);
  }

  /** Whether a call has succeeded, once it has ended; of a message that is not running it is known at once. */
  outcome(id: bigint): boolean | Promise<boolean> {
    const state = this.states.get(id);
    if (state !== 'running') return state !== 'failed';
    return new Promise((resolve) => {
      this.waiters.set(id, [...(this.waiters.get(id) ?? []), resolve]);
    });
  }

  private forgetOldest(): void {
    for (const [id, state] of this.states) {
      if (state === 'running') continue;
      this.states.delete(id);
      return;
    }
  }
}
