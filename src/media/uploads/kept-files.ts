import { mkdirSync, rmSync } from 'node:fs';
import { type FileHandle, link, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock, Randomness, TimerHandle } from '../../../actors/ports/clock.ts';
import { GatewayError, sessionNotFound } from '../../errors/gateway-error.ts';
import { tidyName } from '../outgoing/file-name.ts';
import type { Uploads } from '../outgoing/media-source.ts';
import { type KeptRoom, roomError, type TemporarySpace } from '../outgoing/temporary-space.ts';

/** The interface's (MX1.12): how long a file can be sent. */
export const keptFileMs = 60 * 60_000;
/** The interface's (MX1.12), and what an account that is not premium may upload: 4,000 parts of 512 KB. */
const maxKeptFileBytes = 4_000 * 512 * 1024;
/** An upload of which nothing arrives for this long has ended. */
export const stalledMs = 30_000;
/** Uploads of one session at a time: as many as its sends with files (NB2.2). */
const maxUploadsPerSession = 8;
const retryAfterSeconds = 5;

const uploadTooLarge = (): GatewayError => new GatewayError(413, 'request body is too large');
export const stalled = (): GatewayError => new GatewayError(408, 'request timeout');
const fileNotFound = (): GatewayError => new GatewayError(400, 'file not found');

/** A file that can be sent by its ID. `size`: bytes; `expires`: milliseconds since 1970 on the gateway's clock. */
export interface KeptFile {
  id: string;
  size: number;
  name: string;
  mimetype: string;
  expires: number;
}

/** What is known of a file before its bytes. `announced`: bytes; undefined if the request does not say. */
export interface IncomingFile {
  name: string;
  mimetype: string;
  announced: number | undefined;
}

interface Stored extends KeptFile {
  path: string;
  room: KeptRoom;
  timer: TimerHandle;
}

/** The files of a session, and its uploads that have not ended. */
interface OfSession {
  files: Map<string, Stored>;
  uploads: Set<LightAbort>;
}

export interface KeptFilesDeps {
  /** Its content is removed at the start: no file is kept across a restart. It is on the disk of the files of sends. */
  folder: string;
  space: TemporarySpace;
  clock: Clock;
  randomness: Randomness;
}

/** The files that sessions have uploaded to send them later (MX1.12). */
export class KeptFiles implements Uploads {
  readonly #deps: KeptFilesDeps;
  readonly #sessions = new Map<string, OfSession>();

  constructor(deps: KeptFilesDeps) {
    this.#deps = deps;
    rmSync(deps.folder, { recursive: true, force: true });
    mkdirSync(deps.folder, { recursive: true, mode: 0o700 });
  }

  /**
   * Writes the bytes of a stream to the disk as they arrive and keeps them for an hour. If the stream fails, or this does,
   * nothing stays. The stream is not destroyed: its sender can be answered.
   * @throws {GatewayError} 400 it is empty, 408 it stalled, 413, 429 and 503: no room (NB2.5)
   * @throws why the stream failed
   */
  async keep(sessionId: string, { name, mimetype, announced }: IncomingFile, body: Readable): Promise<KeptFile> {
    if (announced !== undefined && announced > maxKeptFileBytes) throw uploadTooLarge();
    const { clock, randomness, space, folder } = this.#deps;
    const own = this.#of(sessionId);
    if (own.uploads.size === maxUploadsPerSession) {
      throw new GatewayError(429, 'too many files of this session are under way', retryAfterSeconds);
    }
    const stop = new LightAbort();
    own.uploads.add(stop);
    // From the beginning: a stream that fails unheard ends the process.
    body.on('error', (error) => stop.abort(error));
    body.on('close', () => {
      if (!body.readableEnded) stop.abort(new Error('the stream was broken off'));
    });
    const id = randomness.uuid();
    const path = join(folder, id);
    const room = space.keep(sessionId);
    try {
      if (announced !== undefined) await room.announce(announced);
      const size = await this.#write(path, body, room, stop);
      stop.throwIfAborted();
      if (size === 0) throw new GatewayError(400, 'file should not be empty');
      const expires = clock.now() + keptFileMs;
      const timer = clock.setTimeout(() => void this.drop(sessionId, id), keptFileMs);
      const kept = { id, size, name: tidyName(name), mimetype, expires };
      own.files.set(id, { ...kept, path, room, timer });
      return kept;
    } catch (error) {
      await rm(path, { force: true });
      room.release();
      throw roomError(error);
    } finally {
      own.uploads.delete(stop);
      this.#tidy(sessionId, own);
    }
  }

  /** Undefined if the session has no such file, or not any more. */
  find(sessionId: string, id: string): KeptFile | undefined {
    return this.#sessions.get(sessionId)?.files.get(id);
  }

  /** Makes a file appear at `target` too, on the same disk; it stays there when it expires. @throws {GatewayError} 400 */
  async link(sessionId: string, id: string, target: string): Promise<KeptFile> {
    const file = this.#sessions.get(sessionId)?.files.get(id);
    if (file === undefined) throw fileNotFound();
    try {
      await link(file.path, target);
    } catch (error) {
      // It has expired in between.
      throw this.find(sessionId, id) === undefined ? fileNotFound() : error;
    }
    return file;
  }

  /** Removes a file before its hour is over; nothing happens if it is gone. */
  async drop(sessionId: string, id: string): Promise<void> {
    const own = this.#sessions.get(sessionId);
    const file = own?.files.get(id);
    if (own === undefined || file === undefined) return;
    own.files.delete(id);
    this.#deps.clock.clearTimeout(file.timer);
    this.#tidy(sessionId, own);
    await rm(file.path, { force: true });
    file.room.release();
  }

  /** Ends the uploads of a session and removes its files. */
  async forget(sessionId: string): Promise<void> {
    const own = this.#sessions.get(sessionId);
    if (own === undefined) return;
    for (const upload of own.uploads) upload.abort(sessionNotFound());
    await Promise.all(Array.from(own.files.keys(), (id) => this.drop(sessionId, id)));
    this.#tidy(sessionId, own);
  }

  /** Stops the timers; the next start removes the files. */
  close(): void {
    for (const { files } of this.#sessions.values()) {
      for (const { timer } of files.values()) this.#deps.clock.clearTimeout(timer);
    }
    this.#sessions.clear();
  }

  /** @returns the size */
  async #write(path: string, body: Readable, room: KeptRoom, stop: LightAbort): Promise<number> {
    const file = await open(path, 'wx', 0o600);
    let size = 0;
    const take = async (chunk: Buffer): Promise<void> => {
      size += chunk.length;
      if (size > maxKeptFileBytes) throw uploadTooLarge();
      await room.write(size);
      await writeWhole(file, chunk);
    };
    const watch = this.#watch(stop);
    try {
      await drainInto(body, stop, async (chunk) => {
        watch.arrived();
        await take(chunk);
      });
      return size;
    } finally {
      watch.end();
      // It waits for what is being written.
      await file.close();
    }
  }

  /** Ends an upload of which nothing arrives. */
  #watch(upload: LightAbort): { arrived: () => void; end: () => void } {
    const { clock } = this.#deps;
    let last = clock.elapsed();
    const look = (): void => {
      const leftMs = last + stalledMs - clock.elapsed();
      if (leftMs > 0) timer = clock.setTimeout(look, leftMs);
      else upload.abort(stalled());
    };
    let timer = clock.setTimeout(look, stalledMs);
    return {
      arrived: () => {
        last = clock.elapsed();
      },
      end: () => clock.clearTimeout(timer),
    };
  }

  #of(sessionId: string): OfSession {
    const known = this.#sessions.get(sessionId);
    if (known !== undefined) return known;
    const own: OfSession = { files: new Map(), uploads: new Set() };
    this.#sessions.set(sessionId, own);
    return own;
  }

  #tidy(sessionId: string, own: OfSession): void {
    const isEmpty = own.files.size === 0 && own.uploads.size === 0;
    if (isEmpty && this.#sessions.get(sessionId) === own) this.#sessions.delete(sessionId);
  }
}

/** Passes on all chunks of a stream, one after the other. @throws the signal's reason, errors of `take` */
function drainInto(body: Readable, signal: LightAbortSignal, take: (chunk: Buffer) => Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const target = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        const taken = (): void => done();
        take(chunk).then(taken, done);
      },
    });
    const onAbort = (): void => void target.destroy(signal.reason as Error);
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    target.on('error', reject);
    target.on('finish', resolve);
    target.on('close', () => signal.removeEventListener('abort', onAbort));
    body.pipe(target);
  });
}

/** A disk that is nearly full may take a part of what it is given. */
async function writeWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at);
    if (bytesWritten === 0) throw Object.assign(new Error('nothing more fits on the disk'), { code: 'ENOSPC' });
    at += bytesWritten;
  }
}
