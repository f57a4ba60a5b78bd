import { Socket } from 'node:net';
import { vi } from 'vitest';

/** Where a socket was told to connect to, as `host:port`. */
export interface SmallInternet {
  readonly dialled: string[];
  end(): void;
}

interface ConnectOptions {
  host?: string;
  port?: number;
}

/**
 * An internet within this machine: sockets that are sent to one of these hosts arrive at that port on loopback, and all
 * that any socket is sent to is noted. What is on loopback already is let through; all else is refused as unreachable.
 */
export function startSmallInternet(hosts: Readonly<Record<string, number>>): SmallInternet {
  const dialled: string[] = [];
  // The very method that `net` and `tls` connect by.
  const connect = Reflect.get(Socket.prototype, 'connect') as (...args: unknown[]) => Socket;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args: unknown[]) {
    const [first] = args;
    const options = (Array.isArray(first) ? first[0] : first) as ConnectOptions;
    const { host = 'localhost', port } = options;
    dialled.push(`${host}:${port}`);
    const there = hosts[host];
    if (there !== undefined) Object.assign(options, { host: '127.0.0.1', port: there });
    else if (host !== '127.0.0.1' && host !== 'localhost') {
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
