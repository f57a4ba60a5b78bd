/** A server that connects on behalf of its clients. */
interface TcpProxy {
  kind: 'socks5' | 'http';
  host: string;
  port: number;
  /** Without it the proxy is asked to connect without a login. */
  login?: { user: string; password: string };
}

/** The secret of an MTProto proxy (https://core.telegram.org/mtproto/mtproto-transports#transport-obfuscation). */
export interface ProxySecret {
  /** 16 bytes. */
  readonly bytes: Buffer;
  /** `padded`: packets have random lengths (`dd`). `tls`: the connection looks like TLS (`ee`), and is padded too. */
  readonly kind: 'plain' | 'padded' | 'tls';
  /** For `tls`: the site that the connection pretends to go to. */
  readonly domain: string;
}

interface MtprotoProxy {
  kind: 'mtproto';
  host: string;
  port: number;
  secret: ProxySecret;
}

export type Proxy = TcpProxy | MtprotoProxy;

const secretBytes = 16;
const paddedTag = 0xdd;
const tlsTag = 0xee;
/** RFC 1929: the length of each is one byte. */
const maxLoginBytes = 255;
/** The name of a site in DNS is not longer. */
const maxDomainBytes = 253;
const telegramLinks: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);
const defaultPorts = { socks5: 1080, http: 80 } as const;

/**
 * Reads the URL of a proxy: `socks5://user:password@host:port`, `http://user:password@host:port`, or the link of an
 * MTProto proxy, `tg://proxy?server=…&port=…&secret=…` or the same at `https://t.me/proxy`.
 * @returns undefined if it is none of these
 */
export function readProxyUrl(text: string): Proxy | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (isProxyLink(url)) return mtprotoProxy(url.searchParams);
  if (url.protocol === 'socks5:' || url.protocol === 'http:') return tcpProxy(url);
  return undefined;
}

/** A proxy without its user name, password or secret: `socks5://host:port`. Empty if it is none that is known. */
export function proxyAddress(text: string): string {
  const proxy = readProxyUrl(text);
  if (proxy === undefined) return '';
  const { kind, host, port } = proxy;
  if (kind === 'mtproto') return `tg://proxy?${new URLSearchParams({ server: host, port: String(port) }).toString()}`;
  return `${kind}://${bracketed(host)}:${port}`;
}

function isProxyLink({ protocol, hostname, pathname }: URL): boolean {
  if (protocol === 'tg:') return hostname === 'proxy' && (pathname === '' || pathname === '/');
  return protocol === 'https:' && telegramLinks.has(hostname) && /^\/proxy\/?$/.test(pathname);
}

function mtprotoProxy(params: URLSearchParams): MtprotoProxy | undefined {
  const host = params.get('server') ?? '';
  const port = readPort(params.get('port') ?? '');
  const secret = readSecret(params.get('secret') ?? '');
  // A host goes to the look-up of names as it is, so it is checked as that of a URL would be.
  const isHost = host !== '' && !/[\s/?#@\\%]/.test(host) && URL.canParse(`http://${bracketed(host)}`);
  return isHost && port !== undefined && secret ? { kind: 'mtproto', host, port, secret } : undefined;
}

function tcpProxy(url: URL): TcpProxy | undefined {
  const kind = url.protocol === 'http:' ? 'http' : 'socks5';
  const port = url.port === '' ? defaultPorts[kind] : readPort(url.port);
  const rest = url.pathname.replace(/^\/$/, '') + url.search + url.hash;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (url.hostname === '' || port === undefined || rest !== '' || user === undefined || password === undefined)
    return undefined;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return { kind, host, port, ...(user !== '' && { login: { user, password } }) };
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host);

function readPort(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

/** Percent-decoded. @returns undefined if it is malformed or too long */
function decoded(text: string): string | undefined {
  try {
    const plain = decodeURIComponent(text);
    return Buffer.byteLength(plain) <= maxLoginBytes ? plain : undefined;
  } catch {
    return undefined;
  }
}

/** Links hold a secret in hex or in base64, of either alphabet. */
function readSecret(text: string): ProxySecret | undefined {
  const isHex = /^(?:[\da-f]{2})+$/i.test(text);
  if (!isHex && !/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (bytes.length === secretBytes) return { bytes, kind: 'plain', domain: '' };
  const [tag] = bytes;
  const key = bytes.subarray(1, 1 + secretBytes);
  const domain = bytes.toString('latin1', 1 + secretBytes);
  if (key.length < secretBytes) return undefined;
  if (tag === paddedTag && domain === '') return { bytes: key, kind: 'padded', domain };
  const isTls = tag === tlsTag && /^[\w.-]+$/.test(domain) && domain.length <= maxDomainBytes;
  return isTls ? { bytes: key, kind: 'tls', domain } : undefined;
}
