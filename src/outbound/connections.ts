import { Client, type Dispatcher } from 'undici';

/** Of one origin, the last one given back first: those that are not needed any more grow old and are closed. */
type Idle = Client[];

/**
 * Connections that are kept and used again, one request at a time on each. undici's own `Pool` looks through all of an
 * origin's for a free one, at every request, and keeps a client for each that there ever was at once.
 */
export class Connections {
  readonly #options: Client.Options;
  readonly #idle = new Map<string, Idle>();
  readonly #connected = new Set<Client>();
  readonly #all = new Set<Client>();
  #isClosed = false;

  constructor(options: Client.Options) {
    this.#options = options;
  }

  /** @returns to be called when what came of it is known */
  dispatch(origin: string, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): () => void {
    const client = this.#idle.get(origin)?.pop() ?? this.#open(origin);
    client.dispatch(request, handler);
    return () => this.#giveBack(origin, client);
  }

  /** Cuts off what is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#all, (client) => client.destroy()));
  }

  #open(origin: string): Client {
    const client = new Client(origin, this.#options);
    this.#all.add(client);
    if (this.#isClosed) this.#drop(client);
    client.on('connect', () => this.#connected.add(client));
    client.on('disconnect', () => {
      this.#connected.delete(client);
      // Whoever has just taken it connects anew.
      if (this.#forget(origin, client)) this.#drop(client);
    });
    return client;
  }

  #giveBack(origin: string, client: Client): void {
    if (!this.#connected.has(client)) {
      this.#drop(client);
      return;
    }
    const idle = this.#idle.get(origin);
    if (idle === undefined) this.#idle.set(origin, [client]);
    else idle.push(client);
  }

  /** False where it is not idle. */
  #forget(origin: string, client: Client): boolean {
    const idle = this.#idle.get(origin);
    const index = idle?.indexOf(client) ?? -1;
    if (idle === undefined || index === -1) return false;
    idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(origin);
    return true;
  }

  #drop(client: Client): void {
    this.#all.delete(client);
    void client.destroy();
  }
}
