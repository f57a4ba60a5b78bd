import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { App } from '../shared/app-types.ts';
import type { ConsoleConfig } from './schemas.ts';

export interface ConsoleOptions {
  /** Control API of the sandbox that replaces Telegram, if there is one: the console scans QR codes with its phones. */
  sandboxUrl: string | undefined;
  apiKey: string | undefined;
}

/** The output of `npm run build`. */
const folder = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/console/' : '../../../console/', import.meta.url),
);

const assetName = /^[\w-]+\.(?:js|css)$/;
/** The name of an asset changes with its content. */
const immutable = { maxAge: '1y', immutable: true } as const;

const forAnyone = { config: { scope: 'anyone' } } as const;

/** By their paths: the console, and what a customer opens (OS5). */
const pages = { console: 'index.html', link: 'link.html' } as const;

/** Browsers ask for HTML, programs do not. */
const isBrowser = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html');

/** Pages that use the public API alone. They are open to every client that reaches the gateway. */
export function consoleRoutes(app: App, { sandboxUrl, apiKey }: ConsoleOptions): void {
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

  app.get('/', forAnyone, (request, reply) => {
    if (!isBrowser(request)) throw new GatewayError(404, 'not found');
    // Relative, so that a proxy may put the gateway below any path.
    return reply.redirect('console/');
  });

  for (const [name, file] of Object.entries(pages)) {
    app.get(`/${name}`, forAnyone, (request, reply) => {
      // A page names its files by relative URLs, so that a proxy may put it below any path.
      if (!/^[^?]*\/(?:\?|$)/.test(request.url)) return reply.redirect(`${name}/`);
      if (!existsSync(`${folder}${file}`)) throw new GatewayError(404, 'the console is not built: run npm run build');
      reply.headers({ ...security, 'cache-control': 'no-cache' });
      return reply.sendFile(file, folder, { cacheControl: false });
    });

    app.get(`/${name}/assets/:file`, forAnyone, (request, reply) => {
      const { file: asset } = request.params as { file: string };
      if (!assetName.test(asset)) throw new GatewayError(404, 'not found');
      return reply.headers(security).sendFile(`assets/${asset}`, folder, immutable);
    });
  }

  app.get(
    '/console/config',
    forAnyone,
    (): ConsoleConfig => ({ sandboxUrl: sandboxUrl ?? '', needsApiKey: apiKey !== undefined }),
  );
}
