import type { Server } from './connector.ts';
import { OutboundError } from './outbound-error.ts';

/** What a URL says to a client: where to ask for what, and as whom. */
export interface RequestUrl {
  /** Scheme, host and port. */
  origin: string;
  /** Host and port, the latter not where it is the scheme's own. */
  host: string;
  server: Server;
  /** Path and query. */
  path: string;
  /** `user:password@`, as the header that it stands for (RFC 7617). */
  authorization: string | undefined;
}

/** @param base what a relative one is relative to. @throws {OutboundError} */
export function parseRequestUrl(text: string, base?: string): RequestUrl & { href: string } {
  const url = parsed(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('http or https is expected');
  }
  const { origin, host, protocol, hostname, port, pathname, search, href, username, password } = url;
  return {
    origin,
    host,
    server: { protocol, hostname, port },
    path: pathname + search,
    href,
    authorization: username === '' && password === '' ? undefined : basic(username, password),
  };
}

/** The part of a URL that can be shown: the rest may hold a password, a token or a signature. */
export function shownUrl(text: string): string {
  return URL.canParse(text) && new URL(text).host !== '' ? new URL(text).origin : 'given';
}

/** Once: whether it can be parsed is found by parsing it. */
function parsed(text: string, base: string | undefined): URL {
  try {
    return new URL(text, base);
  } catch {
    throw new OutboundError('it is not a valid url');
  }
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
