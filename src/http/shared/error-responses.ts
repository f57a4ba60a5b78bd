import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorCodeOf } from '../../errors/error-code.ts';
import { GatewayError, toGatewayError } from '../../errors/gateway-error.ts';
import { TelegramError } from '../../telegram/port/errors.ts';
import { jsonText } from './json-text.ts';
import { isUploading } from './limits/upload-sockets.ts';

export const bodyTooLarge = 'request body is too large';

/** Messages for Fastify's own errors. */
const frameworkMessages: Record<string, string> = {
  FST_ERR_CTP_BODY_TOO_LARGE: bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'content type must be application/json',
  FST_ERR_CTP_INVALID_JSON_BODY: 'body must be valid JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid content length',
  FST_ERR_BAD_URL: 'invalid url',
};

/** An announced body of up to this size is read to its end even if it is refused, and dropped. */
const maxDroppedBytes = 64 * 1024 * 1024;

/** Every error of every route ends here: the body is exactly `{ statusCode, message }` (ER1). */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toGatewayError(error) ?? refusal(error);
  if (error instanceof TelegramError) request.refusal = error.errorName;
  if (known === undefined) request.log.error({ where: 'http', reqId: request.id, err: error }, 'internal error');
  const { statusCode, message, retryAfterSeconds } = known ?? new GatewayError(500, 'internal server error');
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds));
  if (message === bodyTooLarge) dropOrClose(request, reply);
  // A request whose path cannot be read has met no hook.
  reply.headers({ 'x-request-id': request.id, 'x-error-code': errorCodeOf(statusCode, message) });
  // Fastify has the app's serializer for routes alone, and names no type where another one is given.
  const type = 'application/json; charset=utf-8';
  return reply.code(statusCode).type(type).serializer(jsonText).send({ statusCode, message });
}

/** Connections with a response to a request whose body is still read and dropped. */
const dropping = new WeakSet<Socket>();

/**
 * Has a body that is too large dropped, or closes its connection if that would take too long. A connection that is closed while
 * a body arrives is reset, which can overtake the response: the client, or its proxy, would see a broken connection.
 */
function dropOrClose({ headers, raw }: FastifyRequest, reply: FastifyReply): void {
  // Node drops a body only if no code has begun to read it. `POST /file`, which reads its body, sets the header by itself.
  if (raw.readableDidRead) return;
  if (!(Number(headers['content-length']) <= maxDroppedBytes)) {
    reply.header('connection', 'close');
    return;
  }
  // Fastify has set it.
  reply.removeHeader('connection');
  dropping.add(raw.socket);
  raw.once('end', () => dropping.delete(raw.socket));
}

/** Errors of Fastify or its plugins, before or beside a route. */
function refusal(error: unknown): GatewayError | undefined {
  const { statusCode, code, message } = Object(error) as { statusCode?: unknown; code?: unknown; message?: unknown };
  if (!(error instanceof Error) || typeof statusCode !== 'number') return undefined;
  // Fastify checks the content type of the method QUERY, which no route has, before it looks for a route.
  if (code === 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE') return new GatewayError(405, 'method not allowed');
  const own = typeof code === 'string' ? frameworkMessages[code] : undefined;
  if (statusCode >= 500 && own === undefined) return undefined;
  return new GatewayError(statusCode, own ?? String(message).toLowerCase(), statusCode === 503 ? 5 : undefined);
}

/** The response of an error that no route sends. */
export function bareError(statusCode: number, message: string): { body: string; headers: Record<string, string> } {
  const body = jsonText({ statusCode, message });
  return {
    body,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      'x-error-code': errorCodeOf(statusCode, message),
    },
  };
}

/** `Expect` with anything but `100-continue`: Node's own response has no body. */
export function sendExpectationError(_request: IncomingMessage, response: ServerResponse): void {
  const { body, headers } = bareError(417, 'expectation failed');
  response.writeHead(417, {
    ...headers,
    connection: 'close',
  });
  response.end(body);
}

/** Node's error codes for a request that could not be read. */
const clientErrors: Record<string, readonly [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request timeout'],
  HPE_HEADER_OVERFLOW: [431, 'request headers are too large'],
};

/** A request that Node could not read never reaches a route. Its response is written to the bare socket. */
export function sendClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  // Node says so once for a request, and leaves the rest to us.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUploading(socket)) return;
  if (dropping.has(socket)) {
    socket.destroy();
    return;
  }
  const [statusCode, message] = clientErrors[error.code ?? ''] ?? [400, 'invalid http request'];
  respondBare(socket, statusCode, message);
}

/** `CONNECT` asks for a tunnel, and Node passes its bare socket. */
export function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  respondBare(socket, 405, 'method not allowed');
}

/** An upgrade request that is not a valid WebSocket handshake. */
export function sendInvalid(socket: Duplex, reason: string): void {
  respondBare(socket, 400, reason.toLowerCase());
}

function respondBare(socket: Duplex, statusCode: number, message: string): void {
  const { body, headers } = bareError(statusCode, message);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode]}\r\n${lines.join('')}\r\n${body}`);
}
