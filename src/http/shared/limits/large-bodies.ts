import { Transform, type TransformCallback } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { GatewayError } from '../../../errors/gateway-error.ts';

const megabyte = 1024 * 1024;
/** Bodies of up to this size are not counted: every request may have one. */
const uncountedBytes = 256 * 1024;
/** Memory for the larger bodies of all sessions together (NB2.6); in memory each takes two to three times its size. */
const maxBytes = 64 * megabyte;
/** Those of one session: two with 10 MB in base64. */
const maxBytesPerSession = 30 * megabyte;
const retryAfterSeconds = 5;

/** What one request holds. */
interface Held {
  bytes: number;
  /** The response has ended, or its caller left. */
  isLeft: boolean;
  isAtWork: boolean;
}

/** The memory of bodies with files in them, shared by the sessions (NB2.6). */
export class LargeBodies {
  /** By session. */
  readonly #sessions = new Map<string, number>();
  readonly #requests = new WeakMap<FastifyRequest, Held>();
  #bytes = 0;

  /**
   * A `preParsing` hook, inside the authentication of a session: a body is counted as soon as its length is announced, or
   * else as it arrives, until its response has ended and {@link during} is over.
   */
  readonly count = (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: RequestPayload,
    done: (error: Error | null, payload?: RequestPayload) => void,
  ): void => {
    const length = request.headers['content-length'];
    // A larger body than the route's limit is refused unread.
    const announced = length === undefined ? undefined : Math.min(Number(length), request.routeOptions.bodyLimit ?? 0);
    if (announced !== undefined && !(announced > uncountedBytes)) return done(null, payload);
    const held: Held = { bytes: 0, isLeft: false, isAtWork: false };
    this.#requests.set(request, held);
    reply.raw.once('close', () => {
      held.isLeft = true;
      this.#release(request.view.id, held);
    });
    const grow = (bytes: number): Error | undefined => this.#grow(request.view.id, held, bytes);
    if (announced === undefined) return done(null, counted(payload, grow));
    done(grow(announced) ?? null, payload);
  };

  /** The work of a request whose body is counted: a send may go on when its caller has left (MS8.2). */
  async during<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
    const held = this.#requests.get(request);
    if (held === undefined) return work();
    held.isAtWork = true;
    try {
      return await work();
    } finally {
      held.isAtWork = false;
      this.#release(request.view.id, held);
    }
  }

  #grow(sessionId: string, held: Held, bytes: number): Error | undefined {
    if (bytes <= uncountedBytes || held.isLeft) return undefined;
    const more = bytes - held.bytes;
    const own = (this.#sessions.get(sessionId) ?? 0) + more;
    if (own > maxBytesPerSession) return tooMany(429, 'too many files of this session are under way');
    if (this.#bytes + more > maxBytes) return tooMany(503, 'too many files are under way');
    this.#sessions.set(sessionId, own);
    this.#bytes += more;
    held.bytes = bytes;
    return undefined;
  }

  #release(sessionId: string, held: Held): void {
    if (!held.isLeft || held.isAtWork) return;
    const own = (this.#sessions.get(sessionId) ?? 0) - held.bytes;
    if (own > 0) this.#sessions.set(sessionId, own);
    else this.#sessions.delete(sessionId);
    this.#bytes -= held.bytes;
    held.bytes = 0;
  }
}

const tooMany = (statusCode: number, message: string): GatewayError =>
  new GatewayError(statusCode, message, retryAfterSeconds);

/** The same stream, refused when `grow` refuses its length so far. */
function counted(payload: RequestPayload, grow: (bytes: number) => Error | undefined): RequestPayload {
  let bytes = 0;
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      const refusal = grow(bytes);
      if (refusal === undefined) done(null, chunk);
      else done(refusal);
    },
  });
  payload.on('error', (error) => counter.destroy(error));
  return payload.pipe(counter);
}
