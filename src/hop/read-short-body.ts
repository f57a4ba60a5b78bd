import type { IncomingMessage } from 'node:http';

/** Bodies of up to this size are read before they are passed on, so that a node that has not the session costs no request. */
const maxBytes = 256 * 1024;

/** Whether the request announces a body that is read first. One without a body is short too. */
export function isShort({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined) return false;
  return Number(headers['content-length'] ?? 0) <= maxBytes;
}

/** @returns undefined if it has none. @throws its caller has left */
export function readShortBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length === 0 || request.readableEnded) return Promise.resolve(undefined);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const onData = (chunk: Buffer): void => void chunks.push(chunk);
    request.on('data', onData);
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the caller has left')));
  });
}
