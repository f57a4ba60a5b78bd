import { Socket } from 'node:net';
import { vi } from 'vitest';

/** Where a socket was told to connect to, as `host:port`. */
export interface SmallInternet {
  /** On loopback, only what goes to a port of this internet: files of tests share a process, and dial there, too. */
  readonly dialled: string[];
  end(): void;
}

interface ConnectOptions {
  host?: string;
  port?: number | string;
}

/**
 * An internet within this machine: sockets that are sent to one of these hosts arrive at that port on loopback, and all
 * that any socket is sent to is noted. What is on loopback already is let through; all else is refused as unreachable.
 * @param decoys ports on loopback that must not be reached
 */
export function startSmallInternet(
  hosts: Readonly<Record<string, number>>,
  decoys: readonly number[] = [],
): SmallInternet {
  const dialled: string[] = [];
  const ownPorts: ReadonlySet<number | undefined> = new Set([undefined, 80, 443, ...decoys, ...Object.values(hosts)]);
  // The very method that `net` and `tls` connect by.
  const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args;
    const options = (Array.isArray(first) ? first[0] : first) as ConnectOptions;
    const { host = 'localhost', port } = options;
    const isLoopback = host === '127.0.0.1' || host === 'localhost';
    if (!isLoopback || ownPorts.has(port === undefined ? port : Number(port))) dialled.push(`${host}:${port}`);
    const there = hosts[host];
    if (there !== undefined) Object.assign(options, { host: '127.0.0.1', port: there });
    else if (!isLoopback) {
      process.nextTick(() => this.destroy(new Error('unreachable')));
      return this;
    }
    return connect.apply(this, args);
  });
  return {
    dialled,
    end: () => spy.mockRestore(),
  };
}
