/** What every call takes. */
export interface CallOptions {
  /** Ends the call: it throws the reason of the signal. What the gateway has begun, it may still finish. */
  signal?: AbortSignal;
}

/** What a call takes that is carried out once at most, however often it is repeated. */
export interface KeyedCallOptions extends CallOptions {
  /**
   * Up to 128 characters that name what is done: `order-4711-shipped`. The gateway carries out one call for each key, in 24
   * hours, also if your program crashes and calls again. If it is left out, the client makes a key for its own retries.
   */
  idempotencyKey?: string;
}

/** A class that opens WebSockets, and takes headers: that of Node 22, Bun, Deno, or of the package `ws`. */
// oxlint-disable-next-line typescript/no-explicit-any -- each of them declares its own options
export type WebSocketClass = new (url: string, options: any) => WebSocketLike;

/** What the client uses of a WebSocket. */
export interface WebSocketLike {
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(data: string): void;
  close(): void;
}

export interface SocketOptions extends CallOptions {
  /** For Node 20, which has no WebSocket: that of the package `ws`. */
  WebSocket?: WebSocketClass;
}

/** A file. A stream is sent once: if the connection breaks meanwhile, the call fails. */
export type FileContent = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
