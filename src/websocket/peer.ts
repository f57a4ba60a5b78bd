import type { WebSocket } from 'ws';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';

/**
 * A peer that has not answered a ping before the next one is disconnected, and so is one that reads too slowly for that.
 */
const pingMs = 30_000;

/** WebSocket close codes (RFC 6455, 7.4.1). */
export const closeCodes = { done: 1000, goingAway: 1001, unsupported: 1003, refused: 1008, failed: 1011 } as const;

export interface SocketPeerOptions {
  clock: Clock;
  /** While more than this is buffered for it, the next message waits. */
  bufferedBytes: number;
}

/** The other side of a WebSocket. */
export class SocketPeer {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #bufferedBytes: number;
  readonly #gone = new AbortController();
  readonly #left: Promise<void>;
  #ping: TimerHandle;
  #hasAnswered = true;

  constructor(socket: WebSocket, { clock, bufferedBytes }: SocketPeerOptions) {
    this.#socket = socket;
    this.#clock = clock;
    this.#bufferedBytes = bufferedBytes;
    socket.on('pong', () => {
      this.#hasAnswered = true;
    });
    // An error of the connection also ends it, which is enough.
    socket.on('error', () => {});
    this.#left = new Promise((resolve) => {
      socket.once('close', () => {
        clock.clearTimeout(this.#ping);
        this.#gone.abort();
        resolve();
      });
    });
    this.#ping = clock.setTimeout(() => this.#probe(), pingMs);
  }

  /** Aborted once the peer is gone. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when there is room for more. @throws the signal's reason when the peer is gone */
  async send(message: object): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) await this.#left;
    this.signal.throwIfAborted();
    const written = new Promise<void>((resolve) => {
      this.#socket.send(JSON.stringify(message), () => resolve());
    });
    if (this.#socket.bufferedAmount > this.#bufferedBytes) await written;
  }

  /** Calls the listener with each text that it sends. */
  onText(listener: (text: string) => void): void {
    this.#socket.on('message', (data, isBinary) => {
      // One buffer: the default of `ws`.
      if (!isBinary) listener((data as Buffer).toString());
    });
  }

  /** Sends a close frame; a peer that does not answer is disconnected. */
  close(code: (typeof closeCodes)[keyof typeof closeCodes], reason: string): void {
    this.#socket.close(code, reason);
  }

  #probe(): void {
    if (!this.#hasAnswered) {
      this.#socket.terminate();
      return;
    }
    this.#hasAnswered = false;
    this.#socket.ping();
    this.#ping = this.#clock.setTimeout(() => this.#probe(), pingMs);
  }
}
