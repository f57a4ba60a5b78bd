import type { StatelyInspectionEvent } from '@statelyai/inspect';
import type { WebSocket } from 'ws';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';

/**
 * A viewer that has not answered a ping before the next one is disconnected, and so is one that reads too slowly for
 * that.
 */
const pingMs = 30_000;
/** While more than this is buffered for a viewer, the next message waits. */
const bufferedBytes = 1024 * 1024;

/** WebSocket close codes (RFC 6455, 7.4.1). */
export const closeCodes = { done: 1000, goingAway: 1001, refused: 1008, failed: 1011 } as const;

/** A viewer on a WebSocket. */
export class Viewer {
  readonly #socket: WebSocket;
  readonly #clock: Clock;
  readonly #gone = new AbortController();
  readonly #left: Promise<void>;
  #ping: TimerHandle;
  #hasAnswered = true;

  constructor(socket: WebSocket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
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

  /** Aborted once the viewer is gone. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when there is room for more. @throws the signal's reason when the viewer is gone */
  async send(event: StatelyInspectionEvent): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) await this.#left;
    this.signal.throwIfAborted();
    const written = new Promise<void>((resolve) => {
      this.#socket.send(JSON.stringify(event), () => resolve());
    });
    if (this.#socket.bufferedAmount > bufferedBytes) await written;
  }

  /** Sends a close frame; a viewer that does not answer is disconnected. */
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
