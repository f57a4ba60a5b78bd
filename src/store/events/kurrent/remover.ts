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

/** Others may write the same stream meanwhile; more often than this it is not by chance. */
const tries = 10;

/** Takes events away: from readers at once, from the disk at the server's next scavenge. */
export class Remover {
  #reader: KurrentReader;
  #writer: KurrentWriter;
  #randomness: Randomness;

  constructor(reader: KurrentReader, writer: KurrentWriter, randomness: Randomness) {
    this.#reader = reader;
    this.#writer = writer;
    this.#randomness = randomness;
  }

  /** Hides what is before a revision. Never shows again what was hidden, and never hides what is yet to come. */
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

  /** Puts an event that says nothing behind the others, and deletes the stream. */
  erase(stream: string): Promise<void> {
    return this.#retried(stream, async () => {
      const newest = await this.#reader.newest(stream);
      if (newest === undefined) {
        // Truncated to nothing, the last event is still on the disk; deleted or never written, there is none.
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
    for (let left = tries; left > 0; left -= 1) {
      try {
        await work();
        return;
      } catch (error) {
        // Deleted for ever, by somebody who may.
        if (error instanceof StreamDeletedError) return;
        if (!(error instanceof WrongExpectedRevisionError)) throw error;
      }
    }
    throw new StoreUnavailableError(`others keep writing ${stream}`);
  }
}
