import { isIP, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { ProxyError } from './proxy-error.ts';
import { ProxyReader } from './read-socket.ts';

const version = 5;
const loginVersion = 1;
const methods = { none: 0, login: 2 } as const;
const connectCommand = 1;
const addressTypes = { ipv4: 1, name: 3, ipv6: 4 } as const;
const succeeded = 0;

/** Asks a SOCKS5 server (RFC 1928 and 1929) to connect to an address. @throws {ProxyError} */
export async function connectBySocks5(
  socket: Socket,
  target: { host: string; port: number },
  login?: { user: string; password: string },
): Promise<void> {
  const reader = new ProxyReader(socket);
  socket.write(Buffer.from(login ? [version, 2, methods.none, methods.login] : [version, 1, methods.none]));
  const [answered, method] = await reader.exactly(2);
  if (answered !== version) throw new ProxyError('proxy-refused');
  if (method === methods.login && login) await logIn(socket, reader, login);
  else if (method !== methods.none) throw new ProxyError('proxy-auth-failed');
  const address = Buffer.from(ipaddr.parse(target.host).toByteArray());
  const type = isIP(target.host) === 4 ? addressTypes.ipv4 : addressTypes.ipv6;
  socket.write(Buffer.concat([Buffer.from([version, connectCommand, 0, type]), address, portBytes(target.port)]));
  const [, reply, , boundType] = await reader.exactly(4);
  if (reply !== succeeded) throw new ProxyError('proxy-refused');
  await reader.exactly((await boundBytes(boundType, reader)) + 2);
}

async function logIn(
  socket: Socket,
  reader: ProxyReader,
  { user, password }: { user: string; password: string },
): Promise<void> {
  const [name, secret] = [Buffer.from(user), Buffer.from(password)];
  socket.write(Buffer.concat([Buffer.from([loginVersion, name.length]), name, Buffer.from([secret.length]), secret]));
  const [, status] = await reader.exactly(2);
  if (status !== succeeded) throw new ProxyError('proxy-auth-failed');
}

async function boundBytes(type: number | undefined, reader: ProxyReader): Promise<number> {
  if (type === addressTypes.ipv4) return 4;
  if (type === addressTypes.ipv6) return 16;
  if (type === addressTypes.name) return (await reader.exactly(1))[0] ?? 0;
  throw new ProxyError('proxy-refused');
}

function portBytes(port: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(port);
  return bytes;
}
