import { SecurityError } from 'telegram/errors/Common.js';

/** Room for IDs: it grows as long as they come faster than they age. */
const firstRoom = 64;
const mostRoom = 1_024;
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
  /** Ascending; nearly every ID is appended. */
  #ids = new BigInt64Array(firstRoom);
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
      this.#ids[this.#count] = id;
      this.#last = id;
    } else {
      const place = this.#placeOf(id);
      if (this.#ids[place] === id) return false;
      this.#ids.copyWithin(place + 1, place, this.#count);
      this.#ids[place] = id;
    }
    this.#count += 1;
    if (this.#count === this.#ids.length) this.#makeRoom();
    return true;
  }

  /** Whether the message came, or is too old to be known. */
  has(id: bigint): boolean {
    return id <= this.#floor || (id <= this.#last && this.#ids[this.#placeOf(id)] === id);
  }

  /** The place of the first ID that is not below. */
  #placeOf(id: bigint): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] ?? 0n) < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Forgets what is old. If that is less than half, the room grows, or the older half is forgotten. */
  #makeRoom(): void {
    const half = this.#count / 2;
    const old = this.#placeOf(this.#last - (BigInt(keptSeconds) << timeBits));
    if (old >= half) return this.#forget(old);
    if (this.#count === mostRoom) return this.#forget(half);
    const roomier = new BigInt64Array(2 * this.#count);
    roomier.set(this.#ids);
    this.#ids = roomier;
  }

  #forget(count: number): void {
    this.#floor = this.#ids[count - 1] ?? 0n;
    this.#ids.copyWithin(0, count);
    this.#count -= count;
  }
}
