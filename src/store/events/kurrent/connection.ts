import { accessSync, constants } from 'node:fs';
import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { StoreUrlError } from '../../../config/store-url.ts';

/** Settings of a connection string that name a file. */
const fileSettings = /[?&](tlsCAFile|userCertFile|userKeyFile)=([^&]+)/gi;

/** Holds a client that can be replaced. */
export class KurrentConnection {
  #url: string;
  #client: KurrentDBClient | undefined;
  /** When the client answered last, by the clock's `elapsed()`. */
  #answeredAt = -Infinity;

  constructor(url: string) {
    this.#url = url;
  }

  /** Connects when it is first used. */
  get client(): KurrentDBClient {
    this.#client ??= openClient(this.#url);
    return this.#client;
  }

  /** @throws {StoreUrlError} the URL is not valid, or names a file that cannot be read. */
  open(): void {
    this.#client ??= openClient(this.#url);
  }

  /** The client has answered a call. */
  answered(client: KurrentDBClient, at: number): void {
    if (this.#client === client) this.#answeredAt = at;
  }

  /** Whether the client has answered a call after this time: then it is not stuck, however long another call takes. */
  hasAnsweredSince(client: KurrentDBClient, since: number): boolean {
    return this.#client === client && this.#answeredAt > since;
  }

  /** Closes a client that may be stuck: the next call gets a new one. */
  replace(stuck: KurrentDBClient): void {
    if (this.#client !== stuck) return;
    this.#client = undefined;
    this.#answeredAt = -Infinity;
    void stuck.dispose();
  }

  async dispose(): Promise<void> {
    await this.#client?.dispose();
    this.#client = undefined;
  }
}

function openClient(url: string): KurrentDBClient {
  for (const [, name, file] of url.matchAll(fileSettings)) mustBeReadable(`${name}`, decodeURIComponent(`${file}`));
  try {
    return KurrentDBClient.connectionString(url);
  } catch {
    // The client's message repeats the URL with its password.
    throw new StoreUrlError('the event store URL is not valid');
  }
}

function mustBeReadable(name: string, file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreUrlError(`the event store URL names a file that cannot be read: ${name}=${file} (${code})`);
  }
}
