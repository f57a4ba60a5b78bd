import type { UpdateRow } from './state/message-rows.ts';

/** Faults of `updates.getDifference`, for one account or for all. */
export class DifferenceFaults {
  #stuck: { count: number; userId: number | undefined } | undefined;
  #marking: { count: number; userId: number | undefined } | undefined;
  readonly #unreadable = new Set<UpdateRow>();

  /** The next `count` differences do not move on; 0 turns it off. */
  setStuck(count: number, userId: number | undefined): void {
    this.#stuck = count > 0 ? { count, userId } : undefined;
  }

  /** No known layer can read the next `count` updates of accounts in a difference; 0 turns it off. */
  setUnreadable(count: number, userId: number | undefined): void {
    this.#marking = count > 0 ? { count, userId } : undefined;
    if (count === 0) this.#unreadable.clear();
  }

  /** Whether the next difference does not move on; it counts the difference. */
  takeStuck(userId: number): boolean {
    if (!this.#stuck || (this.#stuck.userId ?? userId) !== userId) return false;
    if (--this.#stuck.count === 0) this.#stuck = undefined;
    return true;
  }

  /** To be called with each new update of an account. */
  note(row: UpdateRow): void {
    const marking = this.#marking;
    if (!marking || !row.box.startsWith('user:')) return;
    if (marking.userId !== undefined && row.box !== `user:${marking.userId}`) return;
    this.#unreadable.add(row);
    if (--marking.count === 0) this.#marking = undefined;
  }

  isUnreadable(row: UpdateRow): boolean {
    return this.#unreadable.has(row);
  }

  clear(): void {
    this.#stuck = undefined;
    this.#marking = undefined;
    this.#unreadable.clear();
  }
}
