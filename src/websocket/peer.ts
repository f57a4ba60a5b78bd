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
  /** Called once it is gone. */
  onGone?: () => void;
}

/** Of a connection: it ends it, which is enough. */
const ignoreError = (): void => {};

/** The other side of a WebSocket. A quiet one holds no promise. */
export class SocketPeer {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #bufferedBytes: number;
  readonly #onGone: (() => void) | undefined;
  #gone: AbortController | undefined;
  #isGone = false;
  #ping: TimerHandle;
  #hasAnswered = true;

  constructor(socket: WebSocket, { clock, bufferedBytes, onGone }: SocketPeerOptions) {
    this.#socket = socket;
    this.#clock = clock;
    this.#bufferedBytes = bufferedBytes;
    this.#onGone = onGone;
    socket.on('pong', () => {
      this.#hasAnswered = true;
    });
    socket.on('error', ignoreError);
    socket.on('close', () => this.#left());
    this.#ping = clock.setTimeout(() => this.#probe(), pingMs);
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Aborted once the peer is gone. */
  get signal(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#isGone) this.#gone.abort();
    return this.#gone.signal;
  }

  /** Nothing once it is gone. @returns a promise if the next one has to wait: it resolves when there is room, or the peer is gone */
  write(message: object): Promise<void> | undefined {
    if (this.#isGone) return undefined;
    if (this.#socket.readyState !== this.#socket.OPEN) {
      return new Promise((resolve) => {
        this.#socket.once('close', () => resolve());
      });
    }
    const text = JSON.stringify(message);
    if (this.#socket.bufferedAmount + text.length > this.#bufferedBytes) {
      return new Promise((resolve) => {
        this.#socket.send(text, () => resolve());
      });
    }
    this.#socket.send(text);
    return undefined;
  }

  /** Resolves when there is room for more. @throws the signal's reason when the peer is gone */
  async send(message: object): Promise<void> {
    await this.write(message);
    this.signal.throwIfAborted();
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

  #left(): void {
    this.#isGone = true;
    this.#clock.clearTimeout(this.#ping);
    this.#gone?.abort();
    this.#onGone?.();
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
