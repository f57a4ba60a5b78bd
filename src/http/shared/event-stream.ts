import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Clock } from '../../../actors/ports/clock.ts';

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  id: string;
  event: string;
  /** JSON: no line feed in it. */
  data: string;
}

/** A silent stream says so much, lest something on the way takes it for dead. */
const heartbeatMs = 15_000;
/** What a client waits before it comes back. */
const retryMs = 2_000;

/** Open streams of server-sent events, which would otherwise never end. */
export class EventStreams {
  readonly #clock: Clock;
  readonly #open = new Set<AbortController>();
  #isClosing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Answers with what the source yields, as it comes, until it ends, the client leaves or the service shuts down.
   * @param source listens to the signal
   */
  send(reply: FastifyReply, source: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>): FastifyReply {
    const stop = new AbortController();
    if (this.#isClosing) stop.abort();
    this.#open.add(stop);
    const body = new Readable({ read: () => wanted?.(), highWaterMark: 16 * 1024 });
    let wanted: (() => void) | undefined;
    let heartbeat = this.#clock.setTimeout(beat.bind(this), heartbeatMs);
    const write = (text: string): boolean => !body.destroyed && body.push(text);
    function beat(this: EventStreams): void {
      write(': still here\n\n');
      heartbeat = this.#clock.setTimeout(beat.bind(this), heartbeatMs);
    }
    const pump = async (): Promise<void> => {
      write(`retry: ${retryMs}\n\n`);
      for await (const { id, event, data } of source(stop.signal)) {
        const hasRoom = write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
        // Whoever reads slowly is read for slowly.
        if (!hasRoom && !stop.signal.aborted) {
          await new Promise<void>((resolve) => {
            wanted = resolve;
            stop.signal.addEventListener('abort', () => resolve(), { once: true });
          });
        }
      }
    };
    const end = (): void => {
      this.#clock.clearTimeout(heartbeat);
      this.#open.delete(stop);
    };
    body.once('close', () => {
      end();
      stop.abort();
    });
    pump()
      // What failed is asked for again: the client knows where it was.
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
        // When it ends, nothing is left that a shutdown would have to wait for.
        .header('connection', 'close')
        .send(body)
    );
  }

  /** Ends all of them; no other one is begun. */
  close(): void {
    this.#isClosing = true;
    for (const stop of this.#open) stop.abort();
  }
}
