import type { UnreadableReason } from '../../../actors/ports/event-codec.ts';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';

/** Follows the numbers of a delivery stream, in its order, past events that cannot be read. */
export class SeqTracker {
  #seq: number;
  /** Events that cannot be read, since the one with that number. */
  #passed = 0;

  constructor(seq: number) {
    this.#seq = seq;
  }

  /** The highest number so far. */
  get seq(): number {
    return this.#seq;
  }

  /** Next comes an event that can be read. */
  read(seq: number): void {
    this.#seq = seq;
    this.#passed = 0;
  }

  /**
   * Next comes an event that cannot be read. Returns its number, if it says one that fits: then a later version of the
   * gateway has written it. Another program's numbers count for nothing.
   */
  pass(event: Pick<RecordedEvent, 'metadata'>): number | undefined {
    this.#passed += 1;
    const { seq } = unreadableMetadata(event);
    const fits = typeof seq === 'number' && Number.isInteger(seq) && seq > this.#seq && seq <= this.#seq + this.#passed;
    if (!fits) return undefined;
    this.read(seq);
    return seq;
  }
}

/** What is left of the metadata of an event that cannot be read. */
export const unreadableMetadata = ({
  metadata,
}: Pick<RecordedEvent, 'metadata'>): { seq?: unknown; chat?: unknown; since?: unknown } =>
  typeof metadata === 'object' && !Array.isArray(metadata) && metadata !== null ? metadata : {};

/** Why a delivery is given up whose event, or what is sealed in it, cannot be read. */
export const unreadableError = (reason: UnreadableReason): string =>
  reason === 'broken-seal' ? 'its content cannot be opened' : `its event cannot be read: ${reason}`;
