import { crc32 } from 'node:zlib';
import { Logger, LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull, FullPacketCodec } from 'telegram/network/connection/TCPFull.js';
import { detachBuffer } from '../../../memory/detach-buffer.ts';
import type { TelegramNetwork } from '../../connection/network.ts';
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

class LeanConnection extends ConnectionTCPFull {
  override PacketCodecClass = LeanPacketCodec;
}

/**
 * A connection object of GramJS for one data centre, not connected yet. @throws {Error} the network has no such data
 * centre
 */
export function tcpConnectionTo(network: TelegramNetwork, dc: number): ConnectionTCPFull {
  const address = network.dcs.find(({ id }) => id === dc);
  if (address === undefined) throw new Error(`no address of data centre ${dc} is known`);
  return new LeanConnection({
    ip: address.host,
    port: address.port,
    dcId: dc,
    loggers: silentLogger,
    testServers: false,
    socket: TcpSocket as unknown as ConstructorParameters<typeof ConnectionTCPFull>[0]['socket'],
  });
}
