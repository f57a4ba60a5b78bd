import type { Clock } from '../../../../actors/ports/clock.ts';
import type { UpdatePosition } from '../../port/updates.ts';

/** Maximum age of the stored position. Telegram keeps updates for much longer. */
const keepMs = 30 * 60_000;

/** Tracks how far the stored position of the updates is behind the present one. */
export class StoredPosition {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #kept: { pts: number; at: number };

  constructor(clock: Pick<Clock, 'elapsed'>, stored: UpdatePosition | undefined) {
    this.#clock = clock;
    this.#kept = { pts: stored?.pts ?? 0, at: clock.elapsed() };
  }

  /** The position is about to be stored. */
  note({ pts }: UpdatePosition): void {
    this.#kept = { pts, at: this.#clock.elapsed() };
  }

  /** Whether a newer position has to be stored. */
  isBehind(present: UpdatePosition | undefined): boolean {
    return present !== undefined && present.pts !== this.#kept.pts;
  }

  /** Whether it should be stored now. */
  isTooOld(present: UpdatePosition | undefined): boolean {
    return this.isBehind(present) && this.#clock.elapsed() - this.#kept.at >= keepMs;
  }
}
