import { OutboundError } from './outbound-error.ts';

/** The parts of a URL that a request is made of. */
export interface RequestUrl {
  /** Scheme, host and port. */
  origin: string;
  /** Path and query. */
  path: string;
  /** The header that `user:password@` stands for (RFC 7617). */
  authorization: string | undefined;
}

/** @param base for relative URLs @throws {OutboundError} it is not an HTTP URL */
export function parseRequestUrl(text: string, base?: string): RequestUrl & { href: string } {
  const url = parsed(text, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('http or https is expected');
  }
  const { origin, pathname, search, href, username, password } = url;
  return {
    origin,
    path: pathname + search,
    href,
    authorization: username === '' && password === '' ? undefined : basic(username, password),
  };
}

/** The part of a URL that errors and logs may show. The rest may hold a password, a token or a signature. */
export function shownUrl(text: string): string {
  return URL.canParse(text) && new URL(text).host !== '' ? new URL(text).origin : 'given';
}

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
