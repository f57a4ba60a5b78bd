import { SecurityError } from 'telegram/errors/Common.js';

/** Room for IDs grows by a block as long as they come faster than they age. */
const blockBits = 6;
const idsOfBlock = 1 << blockBits;
const mostBlocks = 16;
/** https://core.telegram.org/mtproto/security_guidelines#checking-msg-id */
const maxAgeSeconds = 300;
const maxAheadSeconds = 30;
/** IDs are remembered for twice as long as their messages may take, or until half of the most room has come after them. */
const keptSeconds = 2 * maxAgeSeconds;
/** The upper half of an ID is its time in seconds. */
const timeBits = 32n;

/**
 * The IDs of the messages that have arrived on one connection: they are odd, come once, and follow the server's clock.
 * Each connection begins a session of its own, so its first message cannot be an old one and tells the server's time.
 */
export class ReceivedIds {
  /** Ascending; nearly every ID is appended. Blocks of one size leave no gaps in the process's memory. */
  readonly #blocks = [new BigInt64Array(idsOfBlock)];
  #count = 0;
  #last = 0n;
  /** The highest ID that was forgotten. */
  #floor = 0n;
  /** The server's clock minus the local one, in seconds, by the message that was delayed the least. */
  #ahead: number | undefined;

  /**
   * Checks the time of a packet and notes it.
   * @param sent seconds on the server's clock: the upper half of the ID
   * @param now seconds on a clock that only moves ahead
   */
  checkTime(sent: number, now: number): void {
    const ahead = sent - now;
    if (this.#ahead === undefined || (ahead > this.#ahead && ahead <= this.#ahead + maxAheadSeconds)) {
      this.#ahead = ahead;
    } else if (ahead > this.#ahead) {
      throw new SecurityError('from the future');
    } else if (ahead < this.#ahead - maxAgeSeconds) {
      throw new SecurityError('too old');
    }
  }

  /** @returns false if the message came before @throws {SecurityError} it is none of a server, or below all that is known */
  add(id: bigint): boolean {
    if ((id & 1n) === 0n) throw new SecurityError('not of a server');
    if (id <= this.#floor) throw new SecurityError('too old to be known');
    if (id > this.#last) {
      this.#put(this.#count, id);
      this.#last = id;
    } else {
      const place = this.#placeOf(id);
      if (this.#at(place) === id) return false;
      for (let from = this.#count; from > place; from--) this.#put(from, this.#at(from - 1));
      this.#put(place, id);
    }
    this.#count += 1;
    if (this.#count === this.#blocks.length * idsOfBlock) this.#makeRoom();
    return true;
  }

  /** Whether the message came, or is too old to be known. */
  has(id: bigint): boolean {
    return id <= this.#floor || (id <= this.#last && this.#at(this.#placeOf(id)) === id);
  }

  #at(place: number): bigint {
    return this.#blocks[place >> blockBits]?.[place % idsOfBlock] ?? 0n;
  }

  #put(place: number, id: bigint): void {
    const block = this.#blocks[place >> blockBits];
    if (block !== undefined) block[place % idsOfBlock] = id;
  }

  /** The place of the first ID that is not below. */
  #placeOf(id: bigint): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#at(middle) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets the blocks that are old. If none is, there is one more, or the older half is forgotten. */
  #makeRoom(): void {
    const old = this.#placeOf(this.#last - (BigInt(keptSeconds) << timeBits)) >> blockBits;
    if (old > 0) this.#forget(old);
    else if (this.#blocks.length === mostBlocks) this.#forget(mostBlocks / 2);
    else this.#blocks.push(new BigInt64Array(idsOfBlock));
  }

  #forget(blocks: number): void {
    this.#floor = this.#at(blocks * idsOfBlock - 1);
    this.#count -= blocks * idsOfBlock;
    const [used] = this.#blocks.splice(0, blocks);
    if (used !== undefined) this.#blocks.push(used);
  }
}
