import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A server of somebody else's, on loopback. */
export interface WebServer {
  url: string;
  port: number;
  /** How many connections it has been given. */
  readonly connections: number;
  /** All of them, in their order. */
  readonly sockets: readonly Socket[];
  close(): Promise<void>;
}

export async function startWebServer(handler: RequestListener): Promise<WebServer> {
  const sockets: Socket[] = [];
  const server = createServer(handler).on('connection', (socket) => sockets.push(socket));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    sockets,
    get connections() {
      return sockets.length;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A port that nothing listens on, for a program that is started on it again and again. */
export async function freePort(): Promise<number> {
  const server = await startWebServer(() => {});
  await server.close();
  return server.port;
}
