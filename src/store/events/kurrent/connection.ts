import { KurrentDBClient } from '@kurrent/kurrentdb-client';

/** Holds a client that can be replaced. */
export class KurrentConnection {
  #url: string;
  #client: KurrentDBClient | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  /** Connects when it is first used. */
  get client(): KurrentDBClient {
    this.#client ??= openClient(this.#url);
    return this.#client;
  }

  /** @throws {TypeError} the URL is not valid. */
  open(): void {
    this.#client ??= openClient(this.#url);
  }

  /** Closes a client that may be stuck: the next call gets a new one. */
  replace(stuck: KurrentDBClient): void {
    if (this.#client !== stuck) return;
    this.#client = undefined;
    void stuck.dispose();
  }

  async dispose(): Promise<void> {
    await this.#client?.dispose();
    this.#client = undefined;
  }
}

function openClient(url: string): KurrentDBClient {
  try {
    return KurrentDBClient.connectionString(url);
  } catch {
    // The client's message repeats the URL with its password.
    throw new TypeError('the event store URL is not valid');
  }
}
