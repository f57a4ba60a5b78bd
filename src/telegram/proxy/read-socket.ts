import type { Socket } from 'node:net';
import { ProxyError } from './proxy-error.ts';

/** Reads what a proxy answers before it becomes a tunnel. What follows stays in the socket. */
export class ProxyReader {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** @throws {ProxyError} the proxy has ended the connection before */
  async exactly(count: number): Promise<Buffer> {
    if (count === 0) return Buffer.alloc(0);
    for (;;) {
      const bytes = this.#socket.read(count) as Buffer | null;
      if (bytes?.length === count) return bytes;
      if (bytes || this.#socket.readableEnded || this.#socket.destroyed) throw new ProxyError('proxy-refused');
      await this.#more();
    }
  }

  /** Up to and with `end`. @throws {ProxyError} it does not come within `maxBytes` */
  async until(end: string, maxBytes: number): Promise<string> {
    let text = '';
    while (!text.endsWith(end)) {
      if (text.length >= maxBytes) throw new ProxyError('proxy-refused');
      text += (await this.exactly(1)).toString('latin1');
    }
    return text;
  }

  #more(): Promise<void> {
    const socket = this.#socket;
    const events = ['readable', 'end', 'close', 'error'] as const;
    return new Promise((resolve) => {
      const wake = (): void => {
        for (const event of events) socket.off(event, wake);
        resolve();
      };
      for (const event of events) socket.on(event, wake);
    });
  }
}
