import { LastEventWriter } from '../../../actors/kit/last-event-writer.ts';
import { isRetryable } from '../../../actors/kit/retryable.ts';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { EventStore, Json } from '../../../actors/ports/event-store.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { type OperatorProgress, placeCodec, placeStream, progressOfPlace, storedPlace } from './place-codec.ts';

/** After the store has failed. */
const retryMs = 1_000;
const savesPerTruncation = 16;

export interface PlaceSaverDeps {
  store: Pick<EventStore, 'append' | 'last' | 'read' | 'truncate'>;
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  clock: Clock;
  random: Pick<Randomness, 'uuid'>;
  reportUnreadable: ReportUnreadable;
  /** For what is retried. */
  retryLog: Log;
}

/** The last progress that was saved and can be read; undefined if there is none. @throws {StoreUnavailableError} */
export async function loadPlace(
  { store, reportUnreadable }: Pick<PlaceSaverDeps, 'store' | 'reportUnreadable'>,
  id: string,
): Promise<OperatorProgress | undefined> {
  for await (const recorded of store.read(placeStream(id), { direction: 'backwards' })) {
    const event = placeCodec.decode(recorded);
    if (!isUnreadable(event)) return progressOfPlace(event.data);
    reportUnreadable(event);
  }
  return undefined;
}

/** Saves the progress of an operators' webhook: each time all of it. */
export class PlaceSaver {
  readonly #deps: PlaceSaverDeps;
  readonly #id: string;
  readonly #progress: () => OperatorProgress;
  readonly #writer: LastEventWriter;
  #timer: TimerHandle | undefined;
  #saving: Promise<void> = Promise.resolve();
  #isNewer = false;
  #saves = 0;
  #isCut = false;

  /** @param progress as it is at the moment of a save */
  constructor(deps: PlaceSaverDeps, id: string, progress: () => OperatorProgress) {
    this.#deps = deps;
    this.#id = id;
    this.#progress = progress;
    const { store, ownership = soleOwner } = deps;
    this.#writer = new LastEventWriter({ store, mustOwn: () => mustOwn(ownership, id) }, placeStream(id));
  }

  /** The progress has changed: it is saved within this time, or sooner. */
  saveIn(ms: number): void {
    if (this.#isCut) return;
    this.#isNewer = true;
    const { clock, retryLog } = this.#deps;
    if (this.#timer !== undefined && this.#timer.dueAt <= clock.elapsed() + ms) return;
    this.#cancel();
    this.#timer = clock.setTimeout(() => {
      this.#timer = undefined;
      this.#saving = this.#saving
        .then(() => this.#append())
        .catch((err: unknown) => {
          retryLog.warn({ webhook: this.#id, err }, 'the progress of deliveries could not be saved yet');
          if (isRetryable(err)) this.saveIn(retryMs);
        });
    }, ms);
  }

  /** Saves what is not saved, after what is being saved. @throws {StoreUnavailableError} */
  async flush(): Promise<void> {
    const saved = this.#saving.then(() => {
      this.#cancel();
      return this.#append();
    });
    this.#saving = saved.catch(() => {});
    await saved;
  }

  /** Saves nothing more. */
  cut(): void {
    this.#isCut = true;
    this.#cancel();
  }

  #cancel(): void {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #append(): Promise<void> {
    if (!this.#isNewer || this.#isCut) return;
    this.#isNewer = false;
    const { store, clock, random } = this.#deps;
    // Interfaces have no index signature, but all of this is JSON.
    const data = storedPlace(this.#progress()) as unknown as Json;
    const event = { id: random.uuid(), type: 'PlaceMoved', data, metadata: placeCodec.stamp({ at: clock.now() }) };
    try {
      const revision = await this.#writer.write(event);
      this.#saves += 1;
      // The save before stays too, in case this one becomes unreadable.
      if (this.#saves % savesPerTruncation === 0) await store.truncate(placeStream(this.#id), revision - 1);
    } catch (error) {
      this.#isNewer = true;
      throw error;
    }
  }
}
