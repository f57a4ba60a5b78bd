import { WebhookError } from '../errors/errors.ts';

/** What the handlers use of a request of Node: so do Express and plain `node:http`. */
export interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What a parser has made of the body before. */
  body?: unknown;
  /** Whether the body was read before. */
  readableEnded?: boolean;
}

export interface NodeResponse {
  statusCode: number;
  end(text?: string): unknown;
}

export interface HonoContext {
  req: { raw: Request };
}

/** The parts of Fastify that the plugin uses. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- Fastify's own types are not known here
  addContentTypeParser(type: string, options: { parseAs: 'buffer' }, parser: any): unknown;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above
  post(path: string, handler: (request: any, reply: any) => Promise<unknown>): unknown;
}

/** A request as all of them have it: the bytes, and its headers by their names in lower case. */
interface IncomingRequest {
  body: Uint8Array<ArrayBuffer>;
  header: (name: string) => string | null | undefined;
}

/** Deals with a request, and says what to respond. */
export type Answer = (request: IncomingRequest) => Promise<{ status: number; text: string }>;

/** For `express.raw()` and Fastify: the bytes of a body that was read. */
function bytesOfBody(body: unknown): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  throw new WebhookError({ code: 'webhook_body_missing', status: 500, reason: 'the body was parsed before' });
}

/** The bytes of a request of Node. @throws {WebhookError} if a parser has taken them */
export async function bytesOfNode(request: NodeRequest): Promise<Uint8Array<ArrayBuffer>> {
  if (request.body !== undefined || request.readableEnded) return bytesOfBody(request.body);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of request) chunks.push(bytesOfBody(chunk));
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** @param headers of Node, whose names are in lower case */
export function headerIn(headers: NodeRequest['headers']): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name];
    return typeof value === 'string' ? value : value?.[0];
  };
}

/** A plugin whose route alone gets the bytes of its body: other routes keep their parsers. */
export function fastifyPlugin(answer: Answer): (app: FastifyLike, options?: { path?: string }) => Promise<void> {
  return async (app, { path = '/' } = {}) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      '*',
      { parseAs: 'buffer' },
      (_request: unknown, body: unknown, done: (error: null, body: unknown) => void) => done(null, body),
    );
    app.post(
      path,
      async (
        { body, headers }: { body: unknown; headers: NodeRequest['headers'] },
        reply: { code(status: number): { send(text: string): unknown } },
      ) => {
        const { status, text } = await answer({ body: bytesOfBody(body ?? ''), header: headerIn(headers) });
        return reply.code(status).send(text);
      },
    );
  };
}
