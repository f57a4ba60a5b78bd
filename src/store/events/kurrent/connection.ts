import { KurrentDBClient } from '@kurrent/kurrentdb-client';

/** A client that can be replaced while others go on asking for it. */
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

  /** The next one to ask gets a new client, unless somebody has seen to it already. */
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
    // What the client says repeats the URL, password and all.
    throw new TypeError('the event store URL is not valid');
  }
}
