import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../actors/ports/clock.ts';
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

/** The open streams of server-sent events, which end when the app closes, and when the credentials end that opened them. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #onCredentialEnd: OnCredentialEnd;
  readonly #open = new Set<AbortController>();
  readonly #limit = new OpenLimit(maxStreams, 'too many streams of this session are open');
  #isClosing = false;

  constructor(app: App, clock: Clock, onCredentialEnd: OnCredentialEnd) {
    this.#clock = clock;
    this.#onCredentialEnd = onCredentialEnd;
    app.addHook('preClose', (done) => {
      this.#isClosing = true;
      for (const stop of this.#open) stop.abort();
      done();
    });
  }

  /** Counts a stream that is not sent here. @returns ends it. @throws {GatewayError} 429 */
  enter(key: string): () => void {
    return this.#limit.enter(key);
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
    const leave = this.#limit.enter(key);
    const stop = new AbortController();
    if (this.#isClosing) stop.abort();
    this.#open.add(stop);
    const forget = this.#onCredentialEnd(reply.request, () => stop.abort());
    const body = new Readable({ read: () => wanted?.(), highWaterMark: 16 * 1024 });
    let wanted: (() => void) | undefined;
    // One listener for the whole stream: it may wait for its reader thousands of times.
    stop.signal.addEventListener('abort', () => wanted?.(), { once: true });
    let heartbeat = this.#clock.setTimeout(beat.bind(this), heartbeatMs);
    const write = (text: string): boolean => !body.destroyed && body.push(text);
    function beat(this: EventStreams): void {
      write(': still here\n\n');
      heartbeat = this.#clock.setTimeout(beat.bind(this), heartbeatMs);
    }
    const pump = async (): Promise<void> => {
      write(`retry: ${retryMs}\n\n`);
      for await (const item of source(stop.signal)) {
        const hasRoom = write(textOf(item));
        // A slow client slows down the source.
        if (!hasRoom && !stop.signal.aborted) {
          await new Promise<void>((resolve) => {
            wanted = resolve;
          });
        }
      }
    };
    const end = (): void => {
      this.#clock.clearTimeout(heartbeat);
      this.#open.delete(stop);
      forget();
      leave();
    };
    body.once('close', () => {
      end();
      stop.abort();
    });
    pump()
      // The client resumes after a failure: it knows its last event.
      .catch(() => undefined)
      .finally(() => {
        end();
        if (!body.destroyed) body.push(null);
      });
    return (
      reply
        .header('content-type', 'text/event-stream; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('x-accel-buffering', 'no')
        // After its end nothing is left that a shutdown would wait for.
        .header('connection', 'close')
        .send(body)
    );
  }
}
