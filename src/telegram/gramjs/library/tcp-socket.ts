import { connect, type Socket } from 'node:net';
import { detachBuffer } from '../../../memory/detach-buffer.ts';

/** Without keep-alive the kernel reports a dead peer only after hours. */
const keepAliveMs = 30_000;
/** Telegram accepts a connection within a second, or is unreachable. */
const connectTimeoutMs = 10_000;

/**
 * A TCP socket for GramJS's `Connection`, instead of its `PromisedNetSockets`: small packets are sent at once (D11), a
 * connection attempt has a timeout (D3), and received bytes are not copied again with each segment.
 */
export class TcpSocket {
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #closed = true;
  #wake: (() => void) | undefined;

  connect(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host });
      this.#socket = socket;
      socket.setNoDelay(true);
      socket.setKeepAlive(true, keepAliveMs);
      this.#closed = false;
      socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('no connection within 10 s')));
      socket.once('connect', () => {
        socket.setTimeout(0);
        resolve();
      });
      socket.on('data', (chunk) => {
        this.#chunks.push(chunk);
        this.#buffered += chunk.length;
        this.#wake?.();
      });
      socket.on('error', reject);
      socket.on('close', () => {
        this.#closed = true;
        this.#wake?.();
        reject(new Error('the connection was closed'));
      });
    });
  }

  /** @throws {Error} the connection ended before enough bytes arrived */
  async readExactly(count: number): Promise<Buffer> {
    while (this.#buffered < count) {
      if (this.#closed) throw new Error('the connection was closed');
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.#take(count);
  }

  /** The buffer must not be used after the write. */
  write(data: Buffer): void {
    if (this.#closed) throw new Error('the connection was closed');
    this.#socket?.write(data, () => detachBuffer(data));
  }

  /** GramJS awaits it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#socket?.destroy();
    this.#wake?.();
  }

  #take(count: number): Buffer {
    const [first] = this.#chunks;
    this.#buffered -= count;
    if (first !== undefined && first.length > count) {
      this.#chunks[0] = first.subarray(count);
      return first.subarray(0, count);
    }
    const taken: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      const chunk = this.#chunks.shift() ?? Buffer.alloc(0);
      taken.push(chunk.subarray(0, missing));
      if (chunk.length > missing) this.#chunks.unshift(chunk.subarray(missing));
      missing -= chunk.length;
    }
    return taken.length === 1 ? (taken[0] ?? Buffer.alloc(0)) : Buffer.concat(taken);
  }
}
