import type { Socket } from 'node:net';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { Proxy, ProxySecret } from '../port/proxy-url.ts';
import { connectByHttp } from './http-connect.ts';
import { obfuscate } from './obfuscation.ts';
import { ProxyError } from './proxy-error.ts';
import { connectBySocks5 } from './socks5.ts';
import { disguiseAsTls } from './tls-disguise.ts';

/** A proxy answers within this time, or is unreachable. */
const answerTimeoutMs = 10_000;

/** `full` where the other end is Telegram; MTProto proxies take obfuscated transports alone. */
export type ProxiedTransport = 'full' | 'intermediate' | 'padded';

/** A connection through a proxy that carries bytes to Telegram. */
export interface Tunnel {
  readonly socket: Socket;
  /** What is sent before the first packet. */
  readonly header: Buffer;
  wrap: (bytes: Buffer) => Buffer;
  unwrap: (bytes: Buffer) => Buffer;
}

export interface TunnelDeps {
  /** Opens a connection to the proxy, guarded as SR1 wants it, each time anew. */
  dial: (host: string, port: number, signal: LightAbortSignal) => Promise<Socket>;
  clock: Pick<Clock, 'now'>;
  random: Pick<Randomness, 'bytes'>;
}

/** How packets are framed behind a proxy. */
export function transportOf(proxy: Proxy): ProxiedTransport {
  if (proxy.kind !== 'mtproto') return 'full';
  return proxy.secret.kind === 'plain' ? 'intermediate' : 'padded';
}

const asItIs = (bytes: Buffer): Buffer => bytes;

/** Connects through a proxy to an address of a data centre. @throws {ProxyError} @throws the signal's reason */
export async function openTunnel(
  deps: TunnelDeps,
  proxy: Proxy,
  target: { id: number; host: string; port: number },
  signal: LightAbortSignal,
): Promise<Tunnel> {
  const socket = await deps.dial(proxy.host, proxy.port, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new ProxyError('proxy-unreachable', { cause: error });
  });
  const end = (): void => void socket.destroy();
  signal.addEventListener('abort', end);
  // What ends the connection is noticed where its answer is read, and later by the socket's owner.
  socket.on('error', () => undefined);
  socket.setNoDelay(true);
  socket.setTimeout(answerTimeoutMs, end);
  try {
    const tunnel = await negotiate(deps, socket, proxy, target);
    signal.throwIfAborted();
    return tunnel;
  } catch (error) {
    socket.destroy();
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', end);
    socket.setTimeout(0);
    socket.off('timeout', end);
  }
}

async function negotiate(
  deps: TunnelDeps,
  socket: Socket,
  proxy: Proxy,
  target: { id: number; host: string; port: number },
): Promise<Tunnel> {
  if (proxy.kind === 'mtproto') return await mtprotoTunnel(deps, socket, proxy.secret, target.id);
  await (proxy.kind === 'http' ? connectByHttp : connectBySocks5)(socket, target, proxy.login);
  return { socket, header: Buffer.alloc(0), wrap: asItIs, unwrap: asItIs };
}

async function mtprotoTunnel(deps: TunnelDeps, socket: Socket, secret: ProxySecret, dc: number): Promise<Tunnel> {
  const disguise = secret.kind === 'tls' ? await disguiseAsTls(deps, socket, secret) : undefined;
  const transport = secret.kind === 'plain' ? 'intermediate' : 'padded';
  const { header, encrypt, decrypt } = obfuscate(deps.random, secret.bytes, transport, dc);
  return {
    socket,
    header: disguise?.wrap(header) ?? header,
    wrap: (bytes) => disguise?.wrap(encrypt(bytes)) ?? encrypt(bytes),
    unwrap: (bytes) => decrypt(disguise?.unwrap(bytes) ?? bytes),
  };
}
