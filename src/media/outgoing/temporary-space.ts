import { type StatsFs, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { FairTurn } from '../../../actors/kit/fair-gate.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

const gigabyte = 1024 ** 3;
/** Sends of one session with files under way (NB2). */
const maxSendsPerSession = 8;
/** Files of one session that are kept for later sends (NB2.5). */
const maxKeptPerSession = 4 * gigabyte;
/** Without MEDIA_TEMP_BYTES, the sends take half of what is free, up to this (NB2). */
const maxDefaultBytes = 10 * gigabyte;
/** What files of sends leave free on the disk, for the event store: a tenth of it, up to this. */
const maxKeptFree = gigabyte;
/** The disk is looked at again after this many bytes: a look costs as much as a small write. */
const lookEveryBytes = 4 * 1024 * 1024;
const retryAfterSeconds = 5;

const tooManyFilesOfSession = (): GatewayError =>
  new GatewayError(429, 'too many files of this session are under way', retryAfterSeconds);
const tooManyFiles = (): GatewayError => new GatewayError(503, 'too many files are under way', retryAfterSeconds);
const keepsTooMuch = (): GatewayError =>
  new GatewayError(429, 'too many files of this session are kept', retryAfterSeconds);
const tooMuchIsKept = (): GatewayError => new GatewayError(503, 'too many files are kept', retryAfterSeconds);
const diskIsFull = (cause?: unknown): GatewayError =>
  new GatewayError(503, 'there is no room for more files', retryAfterSeconds, { cause });

/** The error of a write, for the caller: something else may have taken what was free. */
export const roomError = (error: unknown): unknown =>
  (error as NodeJS.ErrnoException).code === 'ENOSPC' ? diskIsFull(error) : error;

/** A disk, in bytes. */
export interface Disk {
  /** What this process may still write. */
  free: number;
  total: number;
}

const diskOf = ({ bsize, bavail, blocks }: StatsFs): Disk => ({ free: bavail * bsize, total: blocks * bsize });

/** MEDIA_TEMP_BYTES if it is not set, by the room that there is now (NB2). */
export const defaultTempBytes = (folder: string): number =>
  Math.min(maxDefaultBytes, Math.floor(diskOf(statfsSync(folder)).free / 2));

export interface TemporarySpaceDeps {
  folder: string;
  /** MEDIA_TEMP_BYTES. */
  maxBytes: number;
  /** Default: the disk of the folder. */
  readDisk?: () => Promise<Disk>;
}

/** The room of one file. */
export interface FileRoom {
  /** The file will have this many bytes. @throws {GatewayError} 429, 503 */
  announce(bytes: number): Promise<void>;
  /** The file is about to have this many bytes. @throws {GatewayError} 429, 503 */
  write(bytes: number): Promise<void>;
}

/** The room of one send. */
export interface SendRoom {
  /** A larger file never has room. */
  readonly maxFileBytes: number;
  /** Call it once for each file. */
  file(): FileRoom;
}

/** The room of a file that stays after its request. */
export interface KeptRoom extends FileRoom {
  /** The file is gone. Calling it again does nothing. */
  release(): void;
}

/** What the sends of a session hold. */
interface Share {
  /** The sends, by what makes several count as one: the files of an album. */
  batches: Map<object, number>;
  bytes: number;
}

/**
 * The disk, shared by the files of all sends (NB2). A file counts with its announced length, or else with what is written
 * of it, until its send has ended. The sends of a session hold up to half of the room together; a single one may hold all.
 * Files that are kept for later sends take up to half of the room, too, and 4 GB of one session.
 */
export class TemporarySpace {
  readonly #maxBytes: number;
  readonly #readDisk: () => Promise<Disk>;
  readonly #shares = new Map<string, Share>();
  /** Bytes of kept files, by session. */
  readonly #kept = new Map<string, number>();
  #keptBytes = 0;
  #held = 0;
  /** Of that, what is on the disk already. */
  #written = 0;
  /** Written since the disk was looked at. */
  #unseen = 0;

  constructor({ folder, maxBytes, readDisk = async () => diskOf(await statfs(folder)) }: TemporarySpaceDeps) {
    this.#maxBytes = maxBytes;
    this.#readDisk = readDisk;
  }

  /**
   * Runs a send, whose room is free again when `use` has ended.
   * @throws {GatewayError} 429: the session has too many
   */
  async lend<T>({ sessionId, batch = {} }: FairTurn, use: (room: SendRoom) => Promise<T>): Promise<T> {
    const share = this.#shares.get(sessionId) ?? { batches: new Map<object, number>(), bytes: 0 };
    const { batches } = share;
    const before = batches.get(batch) ?? 0;
    if (before === 0 && batches.size === maxSendsPerSession) throw tooManyFilesOfSession();
    batches.set(batch, before + 1);
    this.#shares.set(sessionId, share);
    const own = { held: 0, written: 0 };
    try {
      return await use({ maxFileBytes: this.#maxBytes, file: () => this.#file(share, own) });
    } catch (error) {
      throw roomError(error);
    } finally {
      this.#held -= own.held;
      this.#written -= own.written;
      share.bytes -= own.held;
      const left = (batches.get(batch) ?? 1) - 1;
      if (left > 0) batches.set(batch, left);
      else batches.delete(batch);
      if (batches.size === 0) this.#shares.delete(sessionId);
    }
  }

  #file(share: Share, own: { held: number; written: number }): FileRoom {
    const file = { held: 0, written: 0 };
    const hold = (bytes: number): void => {
      const more = Math.max(0, bytes - file.held);
      const isAlone = share.bytes === own.held;
      if (!isAlone && share.bytes + more > this.#maxBytes / 2) throw tooManyFilesOfSession();
      if (this.#held + more > this.#maxBytes) throw tooManyFiles();
      file.held += more;
      own.held += more;
      share.bytes += more;
      this.#held += more;
    };
    return {
      announce: async (bytes) => {
        hold(bytes);
        await this.#look();
      },
      write: async (bytes) => {
        hold(bytes);
        const more = bytes - file.written;
        file.written += more;
        own.written += more;
        await this.#wrote(more);
      },
    };
  }

  /** Room for a file of a session that stays after its request (NB2.5). */
  keep(sessionId: string): KeptRoom {
    const file = { held: 0, written: 0 };
    const change = (bytes: number): void => {
      const own = (this.#kept.get(sessionId) ?? 0) + bytes;
      if (own > 0) this.#kept.set(sessionId, own);
      else this.#kept.delete(sessionId);
      this.#keptBytes += bytes;
      this.#held += bytes;
      file.held += bytes;
    };
    const hold = (bytes: number): void => {
      const more = Math.max(0, bytes - file.held);
      if ((this.#kept.get(sessionId) ?? 0) + more > maxKeptPerSession) throw keepsTooMuch();
      if (this.#keptBytes + more > this.#maxBytes / 2) throw tooMuchIsKept();
      if (this.#held + more > this.#maxBytes) throw tooManyFiles();
      change(more);
    };
    return {
      announce: async (bytes) => {
        hold(bytes);
        await this.#look();
      },
      write: async (bytes) => {
        hold(bytes);
        const more = bytes - file.written;
        file.written += more;
        await this.#wrote(more);
      },
      release: () => {
        this.#written -= file.written;
        file.written = 0;
        change(-file.held);
      },
    };
  }

  async #wrote(bytes: number): Promise<void> {
    this.#written += bytes;
    this.#unseen += bytes;
    if (this.#unseen >= lookEveryBytes) await this.#look();
  }

  /** @throws {GatewayError} what is announced and not written yet would leave too little for the event store */
  async #look(): Promise<void> {
    this.#unseen = 0;
    const { free, total } = await this.#readDisk();
    const expected = this.#held - this.#written;
    if (free - expected < Math.min(maxKeptFree, total / 10)) throw diskIsFull();
  }
}
