import { crc32 } from 'node:zlib';
import { Logger, LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull, FullPacketCodec } from 'telegram/network/connection/TCPFull.js';
import type { Randomness } from '../../../../actors/ports/clock.ts';
import { detachBuffer } from '../../../memory/detach-buffer.ts';
import type { DialAttempt } from '../../connection/dialler.ts';
import type { ProxiedTransport } from '../../proxy/tunnel.ts';
import { NotOursError, type OpenTunnel, TcpSocket } from './tcp-socket.ts';

/** GramJS logs bytes and error objects. The code around it logs what matters. */
export const silentLogger = new Logger(LogLevel.NONE);

/** Length and number first, checksum last (https://core.telegram.org/mtproto/mtproto-transports#full). */
const frameBytes = { front: 8, behind: 4 } as const;

/** Frames a packet with one copy instead of GramJS's two. The packet's buffer must not be used afterwards. */
class LeanPacketCodec extends FullPacketCodec {
  #sent = 0;

  override encodePacket(data: Buffer): Buffer {
    const frame = Buffer.allocUnsafe(frameBytes.front + data.length + frameBytes.behind);
    frame.writeInt32LE(frame.length, 0);
    frame.writeInt32LE(this.#sent++, 4);
    data.copy(frame, frameBytes.front);
    const end = frameBytes.front + data.length;
    detachBuffer(data);
    frame.writeUInt32LE(crc32(frame.subarray(0, end)), end);
    return frame;
  }
}

/** https://core.telegram.org/mtproto/mtproto-transports#padded-intermediate */
const maxPaddingBytes = 15;
/** Shorter packets are errors of the transport: a message has a key's ID, a message's ID, a length and a method. */
const minMessageBytes = 24;
const blockBytes = 16;
const plainKeyId = 0n;

interface ExactReader {
  readExactly(count: number): Promise<Buffer>;
}

/** Length first (https://core.telegram.org/mtproto/mtproto-transports#intermediate). */
class IntermediatePacketCodec extends FullPacketCodec {
  override encodePacket(data: Buffer): Buffer {
    return intermediateFrame(data);
  }

  override async readPacket(reader: ExactReader): Promise<Buffer> {
    return await reader.readExactly((await reader.readExactly(4)).readUInt32LE());
  }
}

/** With up to 15 random bytes behind the packet. */
function paddedCodec(random: Pick<Randomness, 'bytes'>): typeof FullPacketCodec {
  return class PaddedPacketCodec extends IntermediatePacketCodec {
    override encodePacket(data: Buffer): Buffer {
      const [choice = 0] = random.bytes(1);
      return intermediateFrame(data, random.bytes(choice & maxPaddingBytes));
    }

    override async readPacket(reader: ExactReader): Promise<Buffer> {
      const packet = await super.readPacket(reader);
      return packet.subarray(0, lengthWithoutPadding(packet));
    }
  };
}

function intermediateFrame(data: Buffer, padding: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length + padding.length);
  return Buffer.concat([length, data, padding]);
}

function lengthWithoutPadding(packet: Buffer): number {
  if (packet.length < minMessageBytes) return errorBytes;
  if (packet.readBigInt64LE() === plainKeyId) return 20 + packet.readUInt32LE(16);
  return packet.length - ((packet.length - 24) % blockBytes);
}

/** The transport's errors are packets of four bytes (https://core.telegram.org/mtproto/mtproto-transports#transport-errors). */
const errorBytes = 4;
const tooManyConnections = -429;

/** Errors of this machine's routes, such as to an IPv6 address where there is no IPv6. */
const routeErrors = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

type ConnectionOptions = ConstructorParameters<typeof ConnectionTCPFull>[0];

/**
 * Writes at once and reads what is asked for. GramJS's connection has two loops and two queues for that, which take 8 KB
 * of an idle connection: their promises stand open, and they hold the last packets.
 */
class LeanConnection extends ConnectionTCPFull {
  override PacketCodecClass: typeof FullPacketCodec = LeanPacketCodec;
  readonly #dial: DialAttempt;

  constructor(dial: DialAttempt, options: ConnectionOptions) {
    super(options);
    this.#dial = dial;
    Object.assign(this, { _sendArray: undefined, _recvArray: undefined });
  }

  override async connect(): Promise<void> {
    await this._connect();
    this._connected = true;
  }

  override async disconnect(): Promise<void> {
    if (!this._connected) return;
    this._connected = false;
    await this.socket.close();
  }

  override async send(data: Buffer): Promise<void> {
    if (!this._connected) throw new Error('not connected');
    try {
      await this._send(data);
    } catch (error) {
      if (error instanceof NotOursError) this.#dial.withdrawn();
      throw error;
    }
  }

  /** To be called again when the packet is there. @throws why the connection has ended */
  override async recv(): Promise<Buffer> {
    try {
      return await this._recv();
    } catch (error) {
      await this.disconnect();
      throw error;
    }
  }

  useCodec({ transport, random }: Route): void {
    if (transport === 'full') return;
    this.PacketCodecClass = transport === 'padded' ? paddedCodec(random) : IntermediatePacketCodec;
  }

  override async _connect(): Promise<void> {
    try {
      await super._connect();
    } catch (error) {
      if (error instanceof NotOursError) this.#dial.withdrawn();
      else if (routeErrors.has((error as NodeJS.ErrnoException).code ?? '')) this.#dial.unroutable();
      throw error;
    }
  }

  override async _recv(): Promise<Buffer> {
    const packet = (await super._recv()) as Buffer;
    if (packet.length === errorBytes && packet.readInt32LE() === tooManyConnections) this.#dial.tooMany();
    else this.#dial.answered();
    return packet;
  }
}

/** How to connect through a proxy. */
interface Route {
  transport: ProxiedTransport;
  openTunnel: OpenTunnel;
  random: Pick<Randomness, 'bytes'>;
}

/** What a connection asks, and where it begins. */
export type SocketOptions = Partial<Pick<TcpSocket, 'mayWrite' | 'localAddress'>>;

/**
 * A connection object of GramJS for one data centre, not connected yet.
 * @param through without it the connection is direct
 */
export function tcpConnectionTo(
  dial: DialAttempt,
  { mayWrite, localAddress }: SocketOptions = {},
  through?: Route,
): ConnectionTCPFull {
  const { id, host, port } = dial.address;
  const connection = new LeanConnection(dial, {
    ip: host,
    port,
    dcId: id,
    loggers: silentLogger,
    testServers: false,
    socket: TcpSocket as unknown as ConnectionOptions['socket'],
    // What the connection gives its socket when it makes it.
    proxy: through?.openTunnel as unknown as ConnectionOptions['proxy'],
  });
  const socket = connection.socket as unknown as TcpSocket;
  if (mayWrite !== undefined) socket.mayWrite = mayWrite;
  socket.localAddress = localAddress;
  if (through) connection.useCodec(through);
  return connection;
}
