import type { RecordedEvent } from '../../../actors/ports/event-store.ts';

/** Follows the numbers of a delivery stream in its order, also across unreadable events. */
export class SeqTracker {
  #seq: number;
  /** Unreadable events after the one with that number. */
  #passed = 0;

  constructor(seq: number) {
    this.#seq = seq;
  }

  /** The highest number so far. */
  get seq(): number {
    return this.#seq;
  }

  /** Takes the next event, which is readable. */
  read(seq: number): void {
    this.#seq = seq;
    this.#passed = 0;
  }

  /**
   * Takes the next event, which is unreadable. Returns its number if its metadata has one that fits: then a later version
   * of the gateway has written it. Numbers of other programs are ignored.
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

/** The readable metadata of an unreadable event. */
export const unreadableMetadata = ({
  metadata,
}: Pick<RecordedEvent, 'metadata'>): { seq?: unknown; chat?: unknown; since?: unknown; places?: unknown } =>
  typeof metadata === 'object' && !Array.isArray(metadata) && metadata !== null ? metadata : {};
