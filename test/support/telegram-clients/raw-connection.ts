import { connect, type Socket } from 'node:net';
import { ByteQueue } from '../../../sandbox/net/byte-queue.ts';
import { type Framing, intermediateFraming } from '../../../sandbox/net/framing.ts';

/** One TCP connection that speaks MTProto by hand, so that a test can say what no client would. */
export class RawConnection {
  readonly socket: Socket;
  readonly packets: Buffer[] = [];
  private readonly framing: Framing;
  private readonly queue = new ByteQueue();
  private readonly waiting: (() => void)[] = [];
  private closed = false;

  private constructor(socket: Socket, framing: Framing) {
    this.socket = socket;
    this.framing = framing;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.wake();
    });
    socket.on('data', (chunk) => {
      this.queue.push(chunk);
      for (let packet = framing.takePacket(this.queue); packet; packet = framing.takePacket(this.queue))
        this.packets.push(packet);
      this.wake();
    });
  }

  /** `tag` is what the transport begins with; `from` is the loopback address that it comes from. */
  static async open(
    port: number,
    framing = intermediateFraming,
    tag: Buffer = Buffer.alloc(4, 0xee),
    from = '127.0.0.1',
  ): Promise<RawConnection> {
    const socket = connect({ port, host: '127.0.0.1', localAddress: from });
    const connection = new RawConnection(socket, framing);
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('close', () => resolve());
    });
    socket.write(tag);
    return connection;
  }

  send(packet: Buffer): void {
    this.socket.write(this.framing.frame(packet));
  }

  /** The next packet; undefined when the connection ends before it. */
  async next(): Promise<Buffer | undefined> {
    while (this.packets.length === 0 && !this.closed) {
      await new Promise<void>((resolve) => void this.waiting.push(resolve));
    }
    return this.packets.shift();
  }

  async ended(): Promise<void> {
    while (!this.closed) await new Promise<void>((resolve) => void this.waiting.push(resolve));
  }

  close(): void {
    this.socket.destroy();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}
