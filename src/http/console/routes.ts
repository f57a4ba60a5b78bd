import { readFile } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { App } from '../shared/app-types.ts';

export interface ConsoleSettings {
  /** Where a sandbox stands in for Telegram: its phones scan with one click. */
  sandboxUrl: string | undefined;
  apiKey: string | undefined;
}

/** Where `npm run build` puts the page. */
const folder = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../../../console/',
  import.meta.url,
);

const types: Readonly<Record<string, string>> = { js: 'text/javascript', css: 'text/css', html: 'text/html' };
const assetName = /^[\w-]+\.(?:js|css)$/;
/** Their names change with their content. */
const forEver = 'public, max-age=31536000, immutable';

/** `GET /console`: a page that shows sessions through the public API alone, and is open to whoever reaches it. */
export function consoleRoutes(app: App, { sandboxUrl, apiKey }: ConsoleSettings): void {
  const security = {
    'content-security-policy': [
      "default-src 'self'",
      "img-src 'self' data:",
      `connect-src 'self'${sandboxUrl === undefined ? '' : ` ${new URL(sandboxUrl).origin}`}`,
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  };

  app.get('/console', async (request, reply) => {
    // Its files are named relative to it, so that it may stand below any path.
    if (!/^[^?]*\/(?:\?|$)/.test(request.url)) return reply.redirect('console/');
    reply.headers({ ...security, 'cache-control': 'no-cache' });
    return send(request, reply, 'index.html', 'the console is not built: run npm run build');
  });

  app.get('/console/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!assetName.test(file)) throw new GatewayError(404, 'not found');
    reply.headers({ ...security, 'cache-control': forEver });
    return send(request, reply, `assets/${file}`, 'not found');
  });

  app.get('/console/config', () => ({ sandboxUrl: sandboxUrl ?? '', needsApiKey: apiKey !== undefined }));
}

/** As small as the client takes it. @throws {GatewayError} 404 */
async function send(request: FastifyRequest, reply: FastifyReply, file: string, missing: string): Promise<Buffer> {
  const accepted = request.headers['accept-encoding'] ?? '';
  const coding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined;
  const ending = coding === undefined ? '' : { br: '.br', gzip: '.gz' }[coding];
  const content = await readFile(new URL(file + ending, folder)).catch(() => undefined);
  if (content === undefined) {
    reply.removeHeader('cache-control');
    throw new GatewayError(404, missing);
  }
  if (coding !== undefined) reply.header('content-encoding', coding);
  reply.header('vary', 'accept-encoding').type(`${types[file.replace(/^.*\./, '')]}; charset=utf-8`);
  return content;
}
