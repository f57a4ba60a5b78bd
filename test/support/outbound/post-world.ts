import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import type { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, type DrivenClock } from '../kit/clock.ts';
import { startWebServer, type WebServer } from '../kit/web-server.ts';

interface ReceivedRequest {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What posts to an HTTP server that answers as the test says. */
export class PostWorld {
  readonly clock: DrivenClock = createDrivenClock();
  readonly outbound: Outbound = createOutbound({ clock: this.clock, allowPrivate: true });
  readonly received: ReceivedRequest[] = [];
  /** How the server answers a request, once it has the whole body. */
  answer: (response: ServerResponse) => void = () => {};
  /** Resolves when the first request has come. */
  asked: Promise<ServerResponse>;
  readonly #ask: (response: ServerResponse) => void;
  #server: WebServer | undefined;

  constructor() {
    let ask = (_response: ServerResponse): void => {};
    this.asked = new Promise((resolve) => {
      ask = resolve;
    });
    this.#ask = ask;
  }

  get server(): WebServer {
    if (this.#server === undefined) throw new Error('the world is not started');
    return this.#server;
  }

  async start(): Promise<this> {
    this.#server = await startWebServer((request, response) => {
      void text(request).then((body) => {
        this.received.push({ method: request.method, url: request.url, headers: request.headers, body });
        this.answer(response);
        this.#ask(response);
      });
    });
    return this;
  }

  /** @throws if anything still waits for its time */
  async close(): Promise<void> {
    await this.outbound.close();
    await this.server.close();
    if (this.clock.armed() > 0) throw new Error('something still waits');
  }

  post(signal?: LightAbort): Promise<unknown> {
    const outcome = this.outbound.post(`${this.server.url}/hook`, {
      sessionId: 'one',
      body: '{"a":"ü"}',
      headers: { 'content-type': 'application/json', 'x-token': 't' },
      timeoutMs: 10_000,
      ...(signal === undefined ? {} : { signal }),
    });
    outcome.catch(() => {});
    return outcome;
  }

  /** The status, or the words of the error. */
  async outcomeAt(url: string): Promise<string> {
    try {
      const { status } = await this.outbound.post(url, {
        sessionId: 'one',
        body: '{}',
        headers: {},
        timeoutMs: 10_000,
      });
      return `status ${status}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** The response has come to its end, and the connection is at rest. */
  async idle(): Promise<void> {
    await this.until(() => this.clock.armed() === 0);
    await this.clock.settle();
  }

  /** Without timers: a test may have replaced them. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await this.clock.settle();
  }
}

/** Raw TCP, for what an HTTP server would not send. */
export async function startTcpServer(
  onConnection: (socket: Socket) => void,
): Promise<{ url: string; close: () => void }> {
  const sockets = new Set<Socket>();
  const tcp = createTcpServer((socket) => {
    sockets.add(socket);
    onConnection(socket.on('error', () => {}));
  });
  await new Promise<void>((resolve) => void tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      tcp.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
