import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook endpoint in the bench's own process. It accepts everything at once. */
export interface CountingEndpoint {
  url: string;
  /** Bodies, in the order in which they arrived. */
  readonly bodies: string[];
  /** When each arrived, milliseconds since 1970. */
  readonly receivedAt: number[];
  /** Resolves when `count` more have arrived, with that time (`performance.now()`). */
  next(count: number): Promise<number>;
  close(): void;
}

export async function startCountingEndpoint(): Promise<CountingEndpoint> {
  const bodies: string[] = [];
  const receivedAt: number[] = [];
  let missing = Infinity;
  let reached: (at: number) => void = () => {};
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      receivedAt.push(Date.now());
      missing -= 1;
      if (missing === 0) reached(performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bodies,
    receivedAt,
    next: (count) => {
      missing = count;
      return new Promise((resolve) => {
        reached = resolve;
      });
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
