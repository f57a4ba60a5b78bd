import { connect, type Socket } from 'node:net';
import { LightAbort, type LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { detachBuffer } from '../../../memory/detach-buffer.ts';
import type { Tunnel } from '../../proxy/tunnel.ts';

/** Without keep-alive the kernel reports a dead peer only after hours. */
const keepAliveMs = 30_000;
/** Telegram accepts a connection within a second, or is unreachable. */
const connectTimeoutMs = 10_000;

/** This process may not act for the session any more. */
export class NotOursError extends Error {
  override name = 'NotOursError';

  constructor() {
    super('this process does not own the session');
  }
}

/** Connects to the data centre through a proxy. */
export type OpenTunnel = (signal: LightAbortSignal) => Promise<Tunnel>;

/**
 * A TCP socket for GramJS's `Connection`, instead of its `PromisedNetSockets`: small packets are sent at once (D11), a
 * connection attempt has a timeout (D3), and received bytes are not copied again with each segment.
 */
export class TcpSocket {
  readonly #openTunnel: OpenTunnel | undefined;
  readonly #closing = new LightAbort();
  #tunnel: Tunnel | undefined;
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #buffered = 0;
  #closed = true;
  /** Whether {@link close} only half-closes it: it is closed when the other end closes it as well. */
  lingers = false;
  /** Asked before each write (CL3): without permission the connection ends at once, and nothing that is queued is sent. */
  mayWrite: () => boolean = () => true;
  /** The address of this machine to connect from; undefined: the system chooses. */
  localAddress: string | undefined;
  /** Resolves when it is closed. */
  readonly gone: Promise<void>;
  #setGone: () => void = () => undefined;
  #wake: (() => void) | undefined;
  /** Called when bytes have arrived, and when it is closed: a socket on which nothing arrives has no promise open. */
  onNews: (() => void) | undefined;

  /** @param openTunnel without one, it connects directly */
  constructor(openTunnel?: OpenTunnel) {
    this.#openTunnel = openTunnel;
    this.gone = new Promise((resolve) => {
      this.#setGone = resolve;
    });
  }

  /** Whether there are bytes to read, or the end. */
  get hasNews(): boolean {
    return this.#closed || this.#buffered > 0;
  }

  async connect(port: number, host: string): Promise<void> {
    this.#closing.throwIfAborted();
    if (!this.mayWrite()) throw new NotOursError();
    if (this.#openTunnel === undefined) return await this.#connectDirectly(port, host);
    const tunnel = await this.#openTunnel(this.#closing);
    if (this.#closing.aborted) tunnel.socket.destroy();
    this.#closing.throwIfAborted();
    this.#tunnel = tunnel;
    // What comes with the proxy's last answer has been read ahead, and is not lost: the socket gives it again.
    this.#follow(tunnel.socket);
    if (tunnel.header.length > 0) tunnel.socket.write(tunnel.header);
  }

  #connectDirectly(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const { localAddress } = this;
      const socket = connect({ port, host, ...(localAddress !== undefined && { localAddress }) });
      const late = (): unknown => socket.destroy(new Error('no connection within 10 s'));
      const closed = (): void => reject(new Error('the connection was closed'));
      socket.setTimeout(connectTimeoutMs, late);
      socket.once('connect', () => {
        socket.setTimeout(0, late);
        socket.off('error', reject).off('close', closed);
        resolve();
      });
      socket.on('error', reject);
      socket.on('close', closed);
      this.#follow(socket);
    });
  }

  #follow(socket: Socket): void {
    this.#socket = socket;
    this.#closed = false;
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#closed = true;
      this.#setGone();
      this.#tell();
    });
    // It may have been read from without events.
    socket.resume();
  }

  #receive(chunk: Buffer): void {
    try {
      const bytes = this.#tunnel?.unwrap(chunk) ?? chunk;
      if (bytes.length === 0) return;
      this.#chunks.push(bytes);
      this.#buffered += bytes.length;
      this.#tell();
    } catch {
      this.#socket?.destroy();
    }
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
    if (!this.mayWrite()) {
      this.#socket?.resetAndDestroy();
      throw new NotOursError();
    }
    const bytes = this.#tunnel?.wrap(data) ?? data;
    this.#socket?.write(bytes, () => detachBuffer(data));
  }

  /** GramJS awaits it. */
  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#closing.aborted) this.#closing.abort(new Error('the connection was closed'));
    if (this.#socket === undefined) this.#setGone();
    if (!this.mayWrite() && this.#socket?.connecting === false) this.#socket.resetAndDestroy();
    else if (this.lingers && this.#socket?.connecting === false) this.#socket.end();
    else this.#socket?.destroy();
    this.#tell();
  }

  destroy(): void {
    this.#socket?.destroy();
  }

  #tell(): void {
    this.#wake?.();
    this.onNews?.();
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
