import type { IncomingMessage } from 'node:http';

/** Bodies of up to this size are read before they are passed on, so that a node that does not have the session costs no request. */
const maxBytes = 256 * 1024;

/** Whether the request announces a body that is read first. One without a body is short too. */
export function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= maxBytes;
}

/** @returns undefined if it has none; `left`: its caller has left before it had come */
export function readShortBody(request: IncomingMessage): Promise<Buffer | undefined | 'left'> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length === 0 || request.readableEnded) return Promise.resolve(undefined);
  if (request.destroyed) return Promise.resolve('left');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    for (const end of ['error', 'close']) request.once(end, () => resolve('left'));
  });
}
