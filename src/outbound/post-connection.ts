import type { Socket } from 'node:net';
import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../actors/ports/clock.ts';
import { OutboundError } from './outbound-error.ts';
import type { PostResponse } from './response-head.ts';
import { ResponseReader } from './response-reader.ts';

const lost = 'the connection was lost';
export const lostConnection = (): OutboundError => new OutboundError(lost);
/** The connection was lost before anything of an answer had come. */
export class UnansweredError extends OutboundError {}
export const tookTooLong = (): OutboundError => new OutboundError('it took too long');

/** How long an answer is waited for, the body that nobody reads included, and who may end that before. */
export interface AnswerWait {
  /** Milliseconds since 1970. */
  until: number;
  signal: LightAbortSignal | undefined;
}

export interface PostConnectionEvents {
  /** Another request may follow. */
  onFree: () => void;
  /** Once; it is of no more use. */
  onClosed: () => void;
}

interface Asking {
  signal: LightAbortSignal | undefined;
  resolve: (answer: PostResponse) => void;
  reject: (error: Error) => void;
}

/** A connection to a server, for one request at a time. What else comes over it than the answer closes it. */
export class PostConnection {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #events: PostConnectionEvents;
  readonly #reader = new ResponseReader();
  #asking: Asking | undefined;
  #isFree = true;
  /** Closed then, for want of the whole answer, or of something to do. */
  #until = 0;
  /** Due then or before: a request alone does not move it. */
  #timer: TimerHandle | undefined;
  #isClosed = false;

  constructor(socket: Socket, clock: Clock, events: PostConnectionEvents) {
    this.#socket = socket;
    this.#clock = clock;
    this.#events = events;
    socket
      .on('data', (bytes: Buffer) => this.#read(bytes))
      .on('error', () => {})
      .on('close', () => this.#lost());
  }

  /** It is about to be closed, by the server, or because it has rested for long enough. */
  get isStale(): boolean {
    return !this.#socket.writable || this.#until <= this.#clock.now();
  }

  /**
   * Resolves when the head of the answer has come. Once it has, this is still in use, until it says that it is free.
   * @param request the whole of it
   * @throws {UnansweredError} @throws {OutboundError} @throws the signal's reason
   */
  ask(request: string | Uint8Array, { until, signal }: AnswerWait): Promise<PostResponse> {
    return new Promise((resolve, reject) => {
      this.#asking = { signal, resolve, reject };
      this.#isFree = false;
      this.#reader.begin();
      this.#closeAt(until);
      if (signal?.aborted === true) return this.#giveUp();
      if (!this.#socket.writable) return this.#lost();
      signal?.addEventListener('abort', this.#giveUp);
      this.#socket.write(request);
    });
  }

  /** What has been asked is not answered any more. */
  close(reason: Error = lostConnection()): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#socket.destroy();
    this.#stopTimer();
    this.#settled()?.reject(reason);
    this.#events.onClosed();
  }

  #lost(): void {
    this.close(this.#reader.hasBegun ? lostConnection() : new UnansweredError(lost));
  }

  #read(bytes: Buffer): void {
    // What had come before.
    if (this.#isClosed) return;
    if (this.#isFree) return this.close();
    try {
      this.#reader.read(bytes);
    } catch (error) {
      return this.close(error as OutboundError);
    }
    const { head, progress } = this.#reader;
    if (head === undefined) return;
    this.#settled()?.resolve(head.answer);
    // An answer to half a request: the server does not want the other half.
    if (progress === 'broken' || this.#socket.writableLength > 0) this.close();
    else if (progress === 'end') this.#free(head.restMs);
  }

  #free(restMs: number): void {
    this.#isFree = true;
    this.#closeAt(this.#clock.now() + restMs);
    this.#events.onFree();
  }

  readonly #giveUp = (): void => {
    const reason: unknown = this.#asking?.signal?.reason;
    this.close(reason instanceof Error ? reason : new OutboundError('it was stopped'));
  };

  /** Whom to tell what has become of it, once. */
  #settled(): Asking | undefined {
    const asking = this.#asking;
    this.#asking = undefined;
    asking?.signal?.removeEventListener('abort', this.#giveUp);
    return asking;
  }

  #closeAt(until: number): void {
    this.#until = until;
    if (this.#timer !== undefined && this.#timer.dueAt <= until) return;
    this.#stopTimer();
    this.#timer = this.#clock.setTimeout(() => this.#look(), until - this.#clock.now());
  }

  #look(): void {
    this.#timer = undefined;
    if (this.#until > this.#clock.now()) this.#closeAt(this.#until);
    else this.close(tookTooLong());
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
