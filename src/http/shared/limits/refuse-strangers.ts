import type { FastifyRequest } from 'fastify';
import { GatewayError } from '../../../errors/gateway-error.ts';
import type { App } from '../app-types.ts';

export interface OwnAddresses {
  /** True for the names and addresses of this machine alone, without a port or brackets. */
  isLoopback: (hostname: string) => boolean;
  /** Where clients reach the gateway through a proxy. */
  publicUrl: string | undefined;
}

/** These change nothing. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * AU5, for a gateway without an API key: programs of this machine may use it, pages of other sites may not. Such a page
 * can lead a name of its own to a loopback address and then read what it is answered (DNS rebinding): its name is in
 * `Host`. Or it sends requests whose responses it cannot read: `Origin` and `Sec-Fetch-Site` tell.
 */
export function refuseStrangers(app: App, { isLoopback, publicUrl }: OwnAddresses): void {
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isOwnHost = (host: string): boolean => {
    const name = hostnameOf(host);
    return isLoopback(name) || (own !== undefined && name === hostnameOf(own.host));
  };
  /** Of nearly all requests, in the same letters: names are not read again for each of them. */
  let lastOwnHost: string | undefined;
  app.addHook('onRequest', (request, _reply, done) => {
    const { host = '' } = request.headers;
    if (host !== lastOwnHost && !isOwnHost(host)) return done(new GatewayError(403, 'host not allowed'));
    lastOwnHost = host;
    if (mayChange(request) && isFromElsewhere(request, own?.origin)) {
      done(new GatewayError(403, 'origin not allowed'));
    } else done();
  });
}

const hostnameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1');

/** A WebSocket begins with GET, and no rule of browsers keeps a page from reading it. */
const mayChange = ({ method, headers }: FastifyRequest): boolean =>
  !safeMethods.has(method) || headers.upgrade?.toLowerCase() === 'websocket';

function isFromElsewhere({ headers }: FastifyRequest, ownOrigin: string | undefined): boolean {
  const { origin, host = '', 'sec-fetch-site': site } = headers;
  if (site === 'cross-site') return true;
  if (origin === undefined || origin === ownOrigin) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase();
}
