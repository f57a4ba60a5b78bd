import { WebSocket } from 'ws';

/** A process that does not answer the handshake within this time is not there. */
const handshakeTimeoutMs = 1_000;
/** A message of more bytes is not made longer by what comes in the same turn. */
const fullBytes = 1024 * 1024;

/** What is sent. */
interface Sized {
  /** What it adds to a message. */
  readonly bytes: number;
}

export interface TurnSocketOptions<Item extends Sized> {
  /** One message. */
  encode: (items: readonly Item[]) => Buffer;
}

/** A WebSocket for binary messages. What is sent in one turn of the event loop leaves as one message, unless it is long. */
export class TurnSocket<Item extends Sized> {
  readonly #socket: WebSocket;
  readonly #encode: (items: readonly Item[]) => Buffer;
  #items: Item[] = [];
  #bytes = 0;

  /** @param socket is open */
  constructor(socket: WebSocket, { encode }: TurnSocketOptions<Item>) {
    this.#socket = socket;
    this.#encode = encode;
    // It is followed by `close`.
    socket.on('error', () => {});
  }

  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  /** Of what was sent, those that the other end has not taken yet. */
  get unsentBytes(): number {
    return this.#bytes + this.#socket.bufferedAmount;
  }

  send(item: Item): void {
    if (this.#items.length === 0) setImmediate(() => this.#flush());
    this.#items.push(item);
    this.#bytes += item.bytes;
    if (this.#bytes >= fullBytes) this.#flush();
  }

  /** @param listener of each message. One that it cannot read, so that it throws, ends the connection */
  onMessage(listener: (message: Buffer) => void): void {
    this.#socket.on('message', (data) => {
      try {
        // One buffer: the default of `ws`.
        listener(data as Buffer);
      } catch {
        this.terminate();
      }
    });
  }

  /** Asks the other process for a sign of life, which {@link onHeard} reports. */
  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  /** @param listener of each message, and of the answer to a {@link ping} */
  onHeard(listener: () => void): void {
    for (const sign of ['message', 'pong']) this.#socket.on(sign, () => listener());
  }

  onClose(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /** What was sent before still arrives. */
  close(): void {
    this.#flush();
    this.#socket.close();
  }

  /** Ends the connection at once. */
  terminate(): void {
    this.#socket.terminate();
  }

  /** Nothing leaves if it is not open any more. */
  #flush(): void {
    if (this.#items.length === 0) return;
    const items = this.#items;
    this.#items = [];
    this.#bytes = 0;
    if (this.isOpen) this.#socket.send(this.#encode(items));
  }
}

export interface DialOptions<Item extends Sized> extends TurnSocketOptions<Item> {
  headers: Record<string, string>;
  /** Of a message of the other process. */
  maxPayloadBytes: number;
}

/**
 * Opens a WebSocket at another process.
 * @param url `ws:` or `wss:`
 * @throws Error it has not answered the handshake within a second, or has refused it
 */
export function dial<Item extends Sized>(
  url: string,
  { headers, maxPayloadBytes, encode }: DialOptions<Item>,
): Promise<TurnSocket<Item>> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      headers,
      perMessageDeflate: false,
      handshakeTimeout: handshakeTimeoutMs,
      maxPayload: maxPayloadBytes,
    });
    socket.once('error', reject);
    socket.once('open', () => resolve(new TurnSocket(socket, { encode })));
  });
}
