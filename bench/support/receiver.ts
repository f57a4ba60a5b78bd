import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook's receiver in the bench's own process: takes everything at once. */
export interface Receiver {
  url: string;
  /** Bodies, in the order of their arrival. */
  readonly bodies: string[];
  /** Resolves with the time (`performance.now()`) at which so many have come since the last call. */
  next(count: number): Promise<number>;
  close(): void;
}

export async function startReceiver(): Promise<Receiver> {
  const bodies: string[] = [];
  let missing = Infinity;
  let reached: (at: number) => void = () => {};
  const server: Server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      bodies.push(body);
      missing -= 1;
      if (missing === 0) reached(performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    bodies,
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
