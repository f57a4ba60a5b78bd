import { crc32 } from 'node:zlib';
import { Logger, LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull, FullPacketCodec } from 'telegram/network/connection/TCPFull.js';
import { detachBuffer } from '../../../memory/detach-buffer.ts';
import type { DialAttempt } from '../../connection/dialler.ts';
import { TcpSocket } from './tcp-socket.ts';

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

/** The transport's errors are packets of four bytes (https://core.telegram.org/mtproto/mtproto-transports#transport-errors). */
const errorBytes = 4;
const tooManyConnections = -429;

/** Errors of this machine's routes, such as to an IPv6 address where there is no IPv6. */
const routeErrors = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']);

class LeanConnection extends ConnectionTCPFull {
  override PacketCodecClass = LeanPacketCodec;
  readonly #dial: DialAttempt;

  constructor(dial: DialAttempt, ...options: ConstructorParameters<typeof ConnectionTCPFull>) {
    super(...options);
    this.#dial = dial;
  }

  override async _connect(): Promise<void> {
    try {
      await super._connect();
    } catch (error) {
      if (routeErrors.has((error as NodeJS.ErrnoException).code ?? '')) this.#dial.unroutable();
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

/** A connection object of GramJS for one data centre, not connected yet. */
export function tcpConnectionTo(dial: DialAttempt): ConnectionTCPFull {
  const { id, host, port } = dial.address;
  return new LeanConnection(dial, {
    ip: host,
    port,
    dcId: id,
    loggers: silentLogger,
    testServers: false,
    socket: TcpSocket as unknown as ConstructorParameters<typeof ConnectionTCPFull>[0]['socket'],
  });
}
