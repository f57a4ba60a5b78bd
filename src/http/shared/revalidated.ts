import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { isKnown } from '../../media/links/conditions.ts';
import type { App } from './app-types.ts';

/** Below this the headers would cost more than they save (OS3). */
const minBytes = 1024;

const compress = promisify(gzip);

/** `gzip` by name, or by `*`, and not with `q=0` (RFC 9110, 12.5.3). */
export function takesGzip(header: unknown): boolean {
  if (typeof header !== 'string') return false;
  const codings = header.split(',').map((coding) => coding.trim().toLowerCase().split(/ *; */));
  const [, weight = ''] = codings.find(([name]) => name === 'gzip') ??
    codings.find(([name]) => name === '*') ?? ['', 'q=0'];
  return !/^q=0(?:\.0*)?$/.test(weight);
}

/**
 * Successful JSON of the group's GET routes, if it is over 1 KB, has an entity tag, is 304 if the client has it, and is compressed.
 * Not for responses with a QR code, a token or a secret: these are in no cache, and what is compressed may tell of a secret beside
 * it.
 */
export function revalidated(group: App): void {
  group.addHook('onSend', async (request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json');
    if (request.method !== 'GET' || reply.statusCode !== 200 || !isJson || typeof payload !== 'string') return payload;
    const bytes = Buffer.from(payload);
    if (bytes.length <= minBytes) return payload;
    const tag = `"${hash('sha256', bytes, 'base64url')}"`;
    // Of each caller alone, and asked for again each time.
    reply.headers({
      etag: tag,
      'cache-control': 'private, no-cache',
      vary: 'accept-encoding, authorization, x-api-key',
    });
    if (isKnown(request.headers['if-none-match'], tag)) {
      reply.code(304).removeHeader('content-type').removeHeader('content-length');
      return null;
    }
    if (!takesGzip(request.headers['accept-encoding'])) return payload;
    // Of other bytes than the tag's.
    reply.headers({ 'content-encoding': 'gzip', etag: `W/${tag}` }).removeHeader('content-length');
    return compress(bytes);
  });
}
