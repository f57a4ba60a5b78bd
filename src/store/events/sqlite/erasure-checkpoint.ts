import { exponentialBackoff } from '../../../../actors/kit/retry-policy.ts';
import { RetryTimer } from '../../../../actors/kit/retry-timer.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { Log } from '../../../../actors/ports/log.ts';
import type { Database } from '../../database.ts';
import { findReaders } from './find-readers.ts';

export interface ErasureCheckpointDeps {
  database: Pick<Database, 'checkpoint'>;
  clock: Clock;
  log: Log;
}

/** 1 s, 2 s, 4 s … 60 s. */
const backoff = exponentialBackoff(1_000, 60_000);
/** One process writes the file, so the waits need no jitter. */
const noJitter = { fraction: () => 1 };

/**
 * Empties SQLite's log of erased content: erasing overwrites it in the file only. A reader's open transaction prevents
 * that; a timer then tries again, and the log says so once.
 */
export class ErasureCheckpoint {
  readonly #deps: ErasureCheckpointDeps;
  readonly #file: string;
  readonly #timer: RetryTimer;
  #isPending = false;

  /** @param file of the database */
  constructor(deps: ErasureCheckpointDeps, file: string) {
    this.#deps = deps;
    this.#file = file;
    this.#timer = new RetryTimer({ clock: deps.clock, random: noJitter }, backoff, () => this.#retry());
  }

  /**
   * Tries at once, without waiting for readers. If that fails, the timer is armed, unless it is already.
   * @throws why the log still holds what was erased
   */
  run(): void {
    try {
      this.#empty();
    } catch (error) {
      if (!this.#isPending) this.#begin(error);
      throw error;
    }
    this.#end();
  }

  stop(): void {
    this.#timer.reset();
  }

  #empty(): void {
    if (!this.#deps.database.checkpoint()) throw new Error('another connection is reading');
  }

  #retry(): void {
    try {
      this.#empty();
      this.#end();
    } catch {
      this.#timer.arm();
    }
  }

  #begin(err: unknown): void {
    this.#isPending = true;
    this.#timer.arm();
    const fields = { file: this.#file, readers: findReaders(this.#file), err };
    this.#deps.log.warn(fields, 'the log of the event store may still hold what was erased');
  }

  #end(): void {
    this.#timer.reset();
    if (!this.#isPending) return;
    this.#isPending = false;
    this.#deps.log.info({ file: this.#file }, 'the log of the event store holds nothing erased any more');
  }
}
