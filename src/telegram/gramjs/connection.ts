import { Logger, LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull } from 'telegram/network/connection/TCPFull.js';
import type { TelegramNetwork } from '../network.ts';
import { TcpSocket } from './tcp-socket.ts';

/** GramJS logs bytes and error objects; what matters is reported by the code around it. */
export const silentLogger = new Logger(LogLevel.NONE);

/** A connection object of GramJS, not yet connected, to one data centre. @throws the network has no such one. */
export function connectionTo(network: TelegramNetwork, dc: number): ConnectionTCPFull {
  const address = network.dcs.find(({ id }) => id === dc);
  if (address === undefined) throw new Error(`no address of data centre ${dc} is known`);
  return new ConnectionTCPFull({
    ip: address.host,
    port: address.port,
    dcId: dc,
    loggers: silentLogger,
    testServers: false,
    socket: TcpSocket as unknown as ConstructorParameters<typeof ConnectionTCPFull>[0]['socket'],
  });
}
