import type { Clock } from '../../../../actors/ports/clock.ts';
import type { UpdatePosition } from '../../port/updates.ts';

/** How old the stored position may become: Telegram keeps what lies after it for about as long as anybody is away. */
const keepMs = 30 * 60_000;

/** Knows how far the stored position of the updates is behind the present one. */
export class StoredPosition {
  readonly #clock: Pick<Clock, 'now'>;
  #kept: { pts: number; at: number };

  constructor(clock: Pick<Clock, 'now'>, stored: UpdatePosition | undefined) {
    this.#clock = clock;
    this.#kept = { pts: stored?.pts ?? 0, at: clock.now() };
  }

  /** The position goes into what is stored. */
  note({ pts }: UpdatePosition): void {
    this.#kept = { pts, at: this.#clock.now() };
  }

  /** Whether there is another one to be stored. */
  isBehind(present: UpdatePosition | undefined): boolean {
    return present !== undefined && present.pts !== this.#kept.pts;
  }

  /** Whether it should be stored now. */
  isTooOld(present: UpdatePosition | undefined): boolean {
    return this.isBehind(present) && this.#clock.now() - this.#kept.at >= keepMs;
  }
}
