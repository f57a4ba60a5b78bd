/** What has become of a message that was received. */
export type MessageState = 'received' | 'running' | 'done' | 'failed';

/** IDs kept for each session. A message that is repeated after its ID was forgotten counts as new. */
const MAX_KEPT_IDS = 500;

/** The IDs of the messages that one session has received, and the state of the calls among them. */
export class ReceivedMessages {
  /** Running calls whose answers the client no longer wants (`rpc_drop_answer`). */
  readonly dropped = new Set<bigint>();
  private readonly states = new Map<bigint, MessageState>();
  private readonly waiters = new Map<bigint, ((done: boolean) => void)[]>();
  private highest = { id: 0n, seqno: 0 };

  stateOf(id: bigint): MessageState | undefined {
    return this.states.get(id);
  }

  add(id: bigint, seqno: number): void {
    this.states.set(id, 'received');
    if (this.states.size > MAX_KEPT_IDS) this.forgetOldest();
    if (id > this.highest.id) this.highest = { id, seqno };
  }

  /**
   * Error 32 or 33 if the seqno is too low or too high compared with that of the newest message:
   * https://core.telegram.org/mtproto/service_messages_about_messages
   */
  seqnoError(id: bigint, seqno: number): 32 | 33 | undefined {
    if (id > this.highest.id) return seqno < this.highest.seqno ? 32 : undefined;
    return seqno > this.highest.seqno ? 33 : undefined;
  }

  isNewerThanAll(id: bigint): boolean {
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

  /** Whether a call succeeded: a promise while it is running. True for unknown messages and those that are no calls. */
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
