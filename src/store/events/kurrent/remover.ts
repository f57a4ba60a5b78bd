import { StreamDeletedError } from '@kurrent/kurrentdb-client';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import {
  type ExpectedRevision,
  erasedType,
  StoreUnavailableError,
  WrongExpectedRevisionError,
} from '../../../../actors/ports/event-store.ts';
import { isDeleted, metadataStream, metadataType } from './recorded-event.ts';
import type { KurrentReader } from './stream-reader.ts';
import type { KurrentWriter } from './writer.ts';

/** Attempts if another writer appends to the stream meanwhile. */
const maxAttempts = 10;

/** Removes events: from readers at once, from the disk at the server's next scavenge. */
export class Remover {
  #reader: KurrentReader;
  #writer: KurrentWriter;
  #randomness: Randomness;

  constructor(reader: KurrentReader, writer: KurrentWriter, randomness: Randomness) {
    this.#reader = reader;
    this.#writer = writer;
    this.#randomness = randomness;
  }

  /** Hides what is before a revision. Hidden events stay hidden; future events are never hidden. */
  truncate(stream: string, before: number): Promise<void> {
    return this.#retried(stream, async () => {
      const newest = await this.#reader.newest(stream);
      if (newest === undefined) return;
      const hideBefore = Math.min(before, Number(newest.revision) + 1);
      const { settings, revision } = await this.#reader.settings(stream);
      if ((settings.$tb ?? 0) >= hideBefore) return;
      await this.#append(metadataStream(stream), revision < 0 ? 'no-stream' : revision, metadataType, {
        ...settings,
        $tb: hideBefore,
      });
    });
  }

  /** Appends the mark of an erasure, and deletes the stream. */
  erase(stream: string): Promise<void> {
    return this.#retried(stream, async () => {
      const newest = await this.#reader.newest(stream);
      if (newest === undefined) {
        // If the stream is truncated to nothing, its last event is still on the disk.
        const { settings, revision } = await this.#reader.settings(stream);
        if (revision < 0 || isDeleted(settings)) return;
      }
      const marked =
        newest?.type === erasedType ? Number(newest.revision) : await this.#append(stream, 'any', erasedType, {});
      await this.#writer.deleteSoftly(stream, marked);
    });
  }

  async #append(
    stream: string,
    expected: ExpectedRevision,
    type: string,
    data: { [name: string]: never } | object,
  ): Promise<number> {
    const event = { id: this.#randomness.uuid(), type, data: data as { [name: string]: never }, metadata: {} };
    return (await this.#writer.append(stream, expected, [event])).revision;
  }

  async #retried(stream: string, work: () => Promise<void>): Promise<void> {
    for (let left = maxAttempts; left > 0; left -= 1) {
      try {
        await work();
        return;
      } catch (error) {
        // An administrator has hard-deleted the stream: the server never takes its name again.
        if (error instanceof StreamDeletedError) return;
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    }
    throw new StoreUnavailableError(`others keep writing ${stream}`);
  }
}
