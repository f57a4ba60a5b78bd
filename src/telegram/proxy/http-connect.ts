import type { Socket } from 'node:net';
import { ProxyError } from './proxy-error.ts';
import { ProxyReader } from './read-socket.ts';

/** The limit of Node's own HTTP client. */
const maxHeadBytes = 16 * 1024;
const authenticationRequired = 407;

/** Asks an HTTP proxy for a tunnel (RFC 9110, section 9.3.6), with a Basic login (RFC 7617). @throws {ProxyError} */
export async function connectByHttp(
  socket: Socket,
  { host, port }: { host: string; port: number },
  login?: { user: string; password: string },
): Promise<void> {
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const credentials = Buffer.from(`${login?.user}:${login?.password}`).toString('base64');
  const lines = [
    `CONNECT ${authority} HTTP/1.1`,
    `Host: ${authority}`,
    ...(login ? [`Proxy-Authorization: Basic ${credentials}`] : []),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const head = await new ProxyReader(socket).until('\r\n\r\n', maxHeadBytes);
  const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head)?.[1] ?? 0);
  if (status === authenticationRequired) throw new ProxyError('proxy-auth-failed');
  if (status < 200 || status > 299) throw new ProxyError('proxy-refused');
}
