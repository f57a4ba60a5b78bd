import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { SingleFlight } from '../../../actors/kit/single-flight.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import { sessionNotConnected } from '../../errors/gateway-error.ts';
import { MinorGc } from '../../memory/minor-gc.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { type AccountFiles, MediaNotFoundError, type RemoteFile } from '../../telegram/port/files.ts';
import { type ByteRange, chunkBytes, lengthOfChunk } from './byte-range.ts';
import { imageType } from './image-type.ts';
import type { FileFacts, MediaCache } from './media-cache.ts';
import { askedWaitMs, asMediaError, noAnswerInTime } from './media-errors.ts';
import type { MediaLink } from './media-link.ts';

export interface MediaFilesDeps {
  /** The files of a session's account; undefined while this account is not connected. */
  filesOf: (sessionId: string, account: string) => AccountFiles | undefined;
  cache: MediaCache;
  clock: Clock;
  metrics: Pick<Metrics, 'chunkAsked'>;
}

/** The file of a link. */
export interface MediaFile {
  facts: FileFacts;
  /** @throws {GatewayError} why the chunks of a range cannot be served, if that is known already */
  mustHave(range: ByteRange): void;
  /**
   * @param isBegun the viewer has got the headers: a wait that Telegram asks for no longer becomes a response, and is
   * waited out for as long as an answer may take
   * @throws {GatewayError} {@link TelegramError} {@link NotConnectedError} the signal's reason
   */
  chunk(index: number, signal: LightAbortSignal, isBegun?: boolean): Promise<Buffer>;
}

const answerMs = 30_000;
/** If everything may be cached, Telegram gets only this long to answer. */
const shortAnswerMs = 5_000;
/** Each fetched byte is copied about 4 times (receive, join, verify, decrypt); used to schedule garbage collection. */
const madePerByte = 4;
/** Maximum number of chunks that wait for the disk; then fetching waits too. */
const maxUnwritten = 4;

/**
 * Files from Telegram. Each chunk is fetched once for all viewers, and cached. The message is checked for each viewer;
 * while Telegram cannot be asked, cached chunks are served.
 */
export class MediaFiles {
  readonly #options: MediaFilesDeps;
  readonly #lookUps = new SingleFlight<RemoteFile>();
  readonly #fetches = new SingleFlight<Buffer>();
  readonly #garbage = new MinorGc();
  /** Chunks on their way to the disk. */
  readonly #unwritten = new Map<string, { bytes: Buffer; written: Promise<void> }>();

  constructor(options: MediaFilesDeps) {
    this.#options = options;
  }

  /**
   * @throws {GatewayError} 404 the message is deleted; 503 Telegram asks to wait, or does not answer; 500 not connected
   * @throws {TelegramError} {@link NotConnectedError} the signal's reason
   */
  async find(link: MediaLink, signal: LightAbortSignal): Promise<MediaFile> {
    const { sessionId } = link;
    const kept = await this.#options.cache.facts(link);
    let remote: RemoteFile;
    try {
      remote = await this.#lookUp(link, kept === undefined ? answerMs : shortAnswerMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof MediaNotFoundError) this.#options.cache.dropFacts(link);
      else if (kept !== undefined) return this.#keptFile(sessionId, kept, asMediaError(error));
      throw asMediaError(error);
    }
    const facts = await this.#factsOf(sessionId, remote, kept, signal);
    if (!isSame(facts, kept)) void this.#options.cache.keepFacts(link, facts);
    return {
      facts,
      mustHave: () => undefined,
      chunk: (index, until, isBegun = false) => {
        const file = { remote, size: facts.size };
        return isBegun
          ? this.#patiently((late) => this.#chunk(sessionId, file, index, late), until)
          : this.#chunk(sessionId, file, index, until);
      },
    };
  }

  /** A file of which only the cached chunks can be served. */
  #keptFile(sessionId: string, facts: FileFacts, reason: unknown): MediaFile {
    const { cache } = this.#options;
    return {
      facts,
      mustHave: (range) => {
        if (!cache.hasAll(sessionId, facts.id, range)) throw reason;
      },
      chunk: async (index) => {
        const bytes = await this.#ownChunk(sessionId, facts.id, index);
        if (bytes === undefined) throw reason;
        this.#options.metrics.chunkAsked('cache');
        return bytes;
      },
    };
  }

  async #lookUp(
    { sessionId, account, ref }: MediaLink,
    limitMs: number,
    signal: LightAbortSignal,
  ): Promise<RemoteFile> {
    const files = this.#options.filesOf(sessionId, account);
    if (files === undefined) throw sessionNotConnected();
    const key = [sessionId, account, ref.chatId, ref.messageId, ref.variant].join('/');
    const { clock } = this.#options;
    const look = (until: LightAbortSignal): Promise<RemoteFile> =>
      withTimeout(clock, limitMs, noAnswerInTime, (late) => files.open(ref, late), until);
    return this.#lookUps.get(key, look, signal);
  }

  /** Properties that Telegram did not give are read off the first chunk. */
  async #factsOf(
    sessionId: string,
    remote: RemoteFile,
    kept: FileFacts | undefined,
    signal: LightAbortSignal,
  ): Promise<FileFacts> {
    const { id, size, mimetype, name } = remote;
    if (size !== undefined && mimetype !== undefined) return { id, size, mimetype, name };
    if (kept?.id === id) return kept;
    const first = await this.#chunk(sessionId, { remote, size }, 0, signal);
    const ownSize = size ?? (await this.#measure(sessionId, remote, first.length, signal));
    return { id, size: ownSize, mimetype: mimetype ?? imageType(first), name };
  }

  /** Reads on from a first chunk that is full: the first one that is not full ends the file. */
  async #measure(sessionId: string, remote: RemoteFile, firstBytes: number, signal: LightAbortSignal): Promise<number> {
    let size = firstBytes;
    for (let index = 1; size === index * chunkBytes; index++) {
      size += (await this.#chunk(sessionId, { remote, size: undefined }, index, signal)).length;
    }
    return size;
  }

  async #chunk(
    sessionId: string,
    { remote, size }: { remote: RemoteFile; size: number | undefined },
    index: number,
    signal: LightAbortSignal,
  ): Promise<Buffer> {
    const bytes = await this.#ownChunk(sessionId, remote.id, index);
    this.#options.metrics.chunkAsked(bytes === undefined ? 'telegram' : 'cache');
    if (bytes !== undefined) return bytes;
    const fetch = (until: LightAbortSignal): Promise<Buffer> => this.#fetch(sessionId, { remote, size }, index, until);
    try {
      return await this.#fetches.get(keyOfChunk(sessionId, remote.id, index), fetch, signal);
    } catch (error) {
      throw asMediaError(error);
    }
  }

  /** Waits as long as Telegram asks, for up to 30 s in all. @throws as `ask` */
  #patiently<T>(ask: (signal: LightAbortSignal) => Promise<T>, signal: LightAbortSignal): Promise<T> {
    const { clock } = this.#options;
    const endAt = clock.elapsed() + answerMs;
    const askUntilAnswered = async (late: LightAbortSignal): Promise<T> => {
      for (;;) {
        try {
          return await ask(late);
        } catch (error) {
          const waitMs = askedWaitMs(error);
          if (waitMs === undefined || clock.elapsed() + waitMs >= endAt) throw error;
          await sleep(clock, waitMs, late);
        }
      }
    };
    return withTimeout(clock, answerMs, noAnswerInTime, askUntilAnswered, signal);
  }

  /** A file that is already open. */
  async #ownChunk(sessionId: string, fileId: string, index: number): Promise<Buffer | undefined> {
    const unwritten = this.#unwritten.get(keyOfChunk(sessionId, fileId, index));
    if (unwritten !== undefined) return unwritten.bytes;
    const bytes = await this.#options.cache.chunk(sessionId, fileId, index);
    if (bytes !== undefined) this.#garbage.note(bytes.length);
    return bytes;
  }

  async #fetch(
    sessionId: string,
    { remote, size }: { remote: RemoteFile; size: number | undefined },
    index: number,
    signal: LightAbortSignal,
  ): Promise<Buffer> {
    while (this.#unwritten.size >= maxUnwritten) {
      await Promise.race([...this.#unwritten.values()].map(({ written }) => written));
    }
    const read = (late: LightAbortSignal): Promise<Buffer> => remote.read(index * chunkBytes, chunkBytes, late);
    const bytes = await withTimeout(this.#options.clock, answerMs, noAnswerInTime, read, signal);
    if (size !== undefined && bytes.length !== lengthOfChunk(index, size)) {
      throw new Error(`chunk ${index} of a file of ${size} bytes has ${bytes.length} bytes`);
    }
    this.#keep(sessionId, remote.id, index, bytes);
    this.#garbage.note(madePerByte * bytes.length);
    return bytes;
  }

  #keep(sessionId: string, fileId: string, index: number, bytes: Buffer): void {
    const key = keyOfChunk(sessionId, fileId, index);
    const written = this.#options.cache
      .keepChunk(sessionId, fileId, index, bytes)
      .finally(() => this.#unwritten.delete(key));
    this.#unwritten.set(key, { bytes, written });
  }
}

const keyOfChunk = (sessionId: string, fileId: string, index: number): string => `${sessionId}/${fileId}/${index}`;

const isSame = (a: FileFacts, b: FileFacts | undefined): boolean =>
  a.id === b?.id && a.size === b.size && a.mimetype === b.mimetype && a.name === b.name;
