import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type ByteRange, chunkOf } from './byte-range.ts';
import type { DiskCache } from './disk-cache.ts';
import type { MediaLink } from './media-link.ts';

/** The properties of a file. */
const FileFacts = Type.Object({
  /** Letters, digits, `-` and `_`. */
  id: Type.String(),
  /** Bytes. */
  size: Type.Integer({ minimum: 0 }),
  mimetype: Type.String(),
  /** Empty if it has none. */
  name: Type.String(),
});
export type FileFacts = Static<typeof FileFacts>;

/**
 * The files that were viewed recently: the file of each link, and the chunks that were fetched. The files of a session
 * are one group of the disk cache, and are removed with the session.
 */
export class MediaCache {
  readonly #disk: DiskCache;

  constructor(disk: DiskCache) {
    this.#disk = disk;
  }

  /** The file of a link, if it is known. */
  async facts(link: MediaLink): Promise<FileFacts | undefined> {
    const text = await this.#disk.read(link.sessionId, nameOfFacts(link));
    if (text === undefined) return undefined;
    const facts: unknown = JSON.parse(text.toString('utf8'));
    Value.Assert(FileFacts, facts);
    return facts;
  }

  async keepFacts(link: MediaLink, facts: FileFacts): Promise<void> {
    await this.#disk.write(link.sessionId, nameOfFacts(link), Buffer.from(JSON.stringify(facts)));
  }

  /** The link no longer has a file. */
  dropFacts(link: MediaLink): void {
    this.#disk.remove(link.sessionId, nameOfFacts(link));
  }

  chunk(sessionId: string, fileId: string, index: number): Promise<Buffer | undefined> {
    return this.#disk.read(sessionId, nameOfChunk(fileId, index));
  }

  async keepChunk(sessionId: string, fileId: string, index: number, bytes: Buffer): Promise<void> {
    await this.#disk.write(sessionId, nameOfChunk(fileId, index), bytes);
  }

  /** Whether every chunk of the range is cached. */
  hasAll(sessionId: string, fileId: string, { first, last }: ByteRange): boolean {
    for (let index = chunkOf(first); index <= chunkOf(last); index++) {
      if (!this.#disk.has(sessionId, nameOfChunk(fileId, index))) return false;
    }
    return true;
  }
}

const nameOfFacts = ({ account, ref: { chatId, messageId, variant } }: MediaLink): string =>
  `link_${account}_${chatId}_${messageId}_${variant}`;
const nameOfChunk = (fileId: string, index: number): string => `chunk_${fileId}_${index}`;
