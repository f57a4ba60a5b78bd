import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { RequestHead } from '../../../hop/channel/channel-message.ts';
import type { Hop } from '../../../hop/hop-header.ts';

/** A request that has come through a channel, and its response, as the routes know them from Node's server. */
export interface ChannelExchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Its caller has left. */
  leave: () => void;
}

export interface WholeRequest extends Pick<RequestHead, 'method' | 'url' | 'headers'> {
  /** What it shows of its connection. */
  socket: Socket;
  body: Buffer | undefined;
  /** What the other node says of it. */
  hop: Hop;
}

export interface WholeAnswer {
  status: number;
  headers: OutgoingHttpHeaders;
  body: Buffer;
}

const hops = new WeakMap<IncomingMessage, Hop>();

/** What the other node says of a request; undefined if it has not come through a channel. */
export const channelHopOf = (request: IncomingMessage): Hop | undefined => hops.get(request);

/**
 * @param onAnswer called with the whole response, if there is one
 * @param onEnd the exchange is over
 */
export function createExchange(
  { socket, method, url, headers, body, hop }: WholeRequest,
  onAnswer: (answer: WholeAnswer) => void,
  onEnd: () => void,
): ChannelExchange {
  const request = new IncomingMessage(socket);
  Object.assign(request, { httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1, method, url, headers });
  request.rawHeaders = Object.entries(headers).flatMap(([name, value]) => [value].flat().flatMap((one) => [name, one]));
  request.complete = true;
  if (body !== undefined && body.length > 0) request.push(body);
  request.push(null);
  hops.set(request, hop);

  const response = new ServerResponse(request);
  response.sendDate = false;
  // Without a length, its body comes as it is.
  response.useChunkedEncodingByDefault = false;
  // Node keeps the headers of `writeHead` if there is another one.
  response.setHeader('connection', 'keep-alive');
  const sink = new ResponseSink();
  response.assignSocket(sink as unknown as Socket);
  response.once('finish', () => {
    onAnswer({ status: response.statusCode, headers: response.getHeaders(), body: sink.body() });
    sink.destroy();
  });
  response.once('close', onEnd);
  return { request, response, leave: () => void sink.destroy() };
}

const endOfHead = '\r\n\r\n';

/** What Node writes of a response: the head, then the body. */
class ResponseSink extends Writable {
  readonly #chunks: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  override _writev(writes: { chunk: Buffer }[], done: () => void): void {
    for (const { chunk } of writes) this.#chunks.push(chunk);
    done();
  }

  body(): Buffer {
    const written = this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
    return written.subarray(written.indexOf(endOfHead) + endOfHead.length);
  }
}
