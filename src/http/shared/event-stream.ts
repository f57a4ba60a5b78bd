import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { OnCredentialEnd } from '../access/credential-end.ts';
import type { App } from './app-types.ts';
import { OpenLimit } from './limits/open-limit.ts';

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  /** Left out: the client keeps that of the event before. */
  id?: string;
  event: string;
  /** JSON: no line feed in it. */
  data: string;
}

/** Clients ignore it; people read it. */
export interface StreamComment {
  comment: string;
}

/** Interval of comments on a silent stream, so that no proxy closes it. */
const heartbeatMs = 15_000;
/** Time that a client waits before it reconnects. */
const retryMs = 2_000;
/** NB3.1 */
const maxStreams = 16;

const numberPattern = /^\d{1,9}$/;

/** The last event of a client that resumes. @throws {GatewayError} 400 */
export function lastEventId({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  if (id === undefined || id === '') return undefined;
  if (typeof id !== 'string' || !numberPattern.test(id)) throw new GatewayError(400, 'last-event-id must be a number');
  return id;
}

const textOf = (item: ServerSentEvent | StreamComment): string =>
  'comment' in item
    ? `: ${item.comment}\n\n`
    : `${item.id === undefined ? '' : `id: ${item.id}\n`}event: ${item.event}\ndata: ${item.data}\n\n`;

const headersOfStream = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  // After its end nothing is left that a shutdown would wait for.
  connection: 'close',
};

/**
 * An open response of server-sent events. It writes to the connection itself: a stream in between would cost more memory than all
 * the rest of a quiet one.
 */
export class OpenStream {
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #onEnd: () => void;
  #heartbeat: TimerHandle | undefined;
  #isOver = false;
  #onRoom: (() => void) | undefined;

  /** @param onEnd called once: the client has left, or {@link end} was called */
  constructor(response: ServerResponse, clock: Clock, onEnd: () => void) {
    this.#response = response;
    this.#clock = clock;
    this.#onEnd = onEnd;
    response.on('close', () => this.#finish());
    if (!response.destroyed) this.#begin();
  }

  /** Whether nothing can be written any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Nothing once it is over. @returns a promise if the client is slow: it resolves when there is room, or the stream is over */
  write(item: ServerSentEvent | StreamComment): Promise<void> | undefined {
    if (this.#isOver || this.#response.write(textOf(item))) return undefined;
    return new Promise((resolve) => {
      this.#onRoom = resolve;
      this.#response.once('drain', resolve);
    });
  }

  end(): void {
    if (this.#isOver) return;
    this.#response.end();
    this.#finish();
  }

  #begin(): void {
    this.#response.write(`retry: ${retryMs}\n\n`);
    const beat = (): void => {
      // A client that takes nothing needs no sign of life.
      if (!this.#response.writableNeedDrain) this.#response.write(': still here\n\n');
      this.#heartbeat = this.#clock.setTimeout(beat, heartbeatMs);
    };
    this.#heartbeat = this.#clock.setTimeout(beat, heartbeatMs);
  }

  #finish(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (this.#heartbeat !== undefined) this.#clock.clearTimeout(this.#heartbeat);
    this.#onRoom?.();
    this.#onEnd();
  }
}

/** The open streams of server-sent events, which end when the app closes, and when the credentials end that opened them. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #onCredentialEnd: OnCredentialEnd;
  readonly #open = new Set<OpenStream>();
  readonly #limit = new OpenLimit(maxStreams, 'too many streams of this session are open');
  #isClosing = false;

  constructor(app: App, clock: Clock, onCredentialEnd: OnCredentialEnd) {
    this.#clock = clock;
    this.#onCredentialEnd = onCredentialEnd;
    app.addHook('preClose', (done) => {
      this.#isClosing = true;
      for (const stream of this.#open) stream.end();
      done();
    });
  }

  /** Counts a stream. @param key streams with the same key are limited together. @returns ends it. @throws {GatewayError} 429 */
  enter(key: string): () => void {
    return this.#limit.enter(key);
  }

  /**
   * Opens a stream that has been counted ({@link enter}). What Fastify does when it sends a response does not happen to it.
   * @param onEnd called once: the client left, the gateway shuts down, the credentials ended, or it was ended
   */
  open(reply: FastifyReply, onEnd: () => void): OpenStream {
    reply.hijack();
    reply.request.underWay?.end();
    const { raw } = reply;
    raw.writeHead(200, { ...(reply.getHeaders() as OutgoingHttpHeaders), ...headersOfStream });
    let forget: (() => void) | undefined;
    const stream: OpenStream = new OpenStream(raw, this.#clock, () => {
      this.#open.delete(stream);
      forget?.();
      onEnd();
    });
    this.#open.add(stream);
    forget = this.#onCredentialEnd(reply.request, () => stream.end());
    // It may have left before it was let in.
    if (this.#isClosing || raw.destroyed) stream.end();
    return stream;
  }

  /**
   * Sends the events of the source until it ends, the client leaves or the gateway shuts down.
   * @param key streams with the same key are limited together
   * @param source listens to the signal
   * @throws {GatewayError} 429
   */
  send(
    reply: FastifyReply,
    key: string,
    source: (signal: AbortSignal) => AsyncIterable<ServerSentEvent | StreamComment>,
  ): FastifyReply {
    const leave = this.enter(key);
    const stop = new AbortController();
    const stream = this.open(reply, () => {
      leave();
      stop.abort();
    });
    const pump = async (): Promise<void> => {
      for await (const item of source(stop.signal)) await stream.write(item);
    };
    pump()
      // The client resumes after a failure: it knows its last event.
      .catch(() => undefined)
      .finally(() => stream.end());
    return reply;
  }
}
