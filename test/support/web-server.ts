import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of somebody else's, on loopback. */
export interface WebServer {
  url: string;
  port: number;
  /** How many connections it has been given. */
  readonly connections: number;
  close(): Promise<void>;
}

export async function startWebServer(handler: RequestListener): Promise<WebServer> {
  let connections = 0;
  const server = createServer(handler).on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    get connections() {
      return connections;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
