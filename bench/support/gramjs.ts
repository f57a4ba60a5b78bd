import { Api, Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull } from 'telegram/network/index.js';
import { StringSession } from 'telegram/sessions/index.js';
import { systemClock, systemRandomness } from '../../src/config/clock.ts';
import { fetchSandboxNetwork } from '../../src/telegram/connection/network.ts';
import { trustServerKey } from '../../src/telegram/gramjs/library/server-key.ts';
import { applySpeedUps } from '../../src/telegram/gramjs/library/speed-ups.ts';
import { TcpSocket } from '../../src/telegram/gramjs/library/tcp-socket.ts';

type ConnectionOptions = ConstructorParameters<typeof ConnectionTCPFull>[0];

/**
 * GramJS as it comes, but with the gateway's speed-ups, and pointed at the sandbox. To be imported after
 * `src/telegram/gramjs/library/native-numbers.ts`, as in the gateway; to be called before any other client is made.
 * @param sandboxUrl the sandbox's control API
 * @returns makes clients that are not connected yet
 */
export async function gramjsClients(sandboxUrl: string): Promise<() => TelegramClient> {
  const network = await fetchSandboxNetwork(sandboxUrl, systemClock, AbortSignal.timeout(10_000));
  applySpeedUps(systemRandomness);
  if (network.publicKey !== undefined) trustServerKey(network.publicKey);
  /** GramJS connects to port 80 of every address. */
  class SandboxConnection extends ConnectionTCPFull {
    constructor(options: ConnectionOptions) {
      const dc = network.dcs.find(({ id }) => id === options.dcId);
      super({ ...options, ...(dc && { ip: dc.host, port: dc.port }) });
    }
  }
  return () => {
    const session = new StringSession('');
    session.setDC(network.homeDc, '127.0.0.1', 443);
    const client = new TelegramClient(session, network.apiId, network.apiHash, {
      connection: SandboxConnection,
      networkSocket: TcpSocket as unknown as ConnectionOptions['socket'],
      baseLogger: new Logger(LogLevel.NONE),
      securityChecks: true,
    });
    // The texts that the gateway is given are plain as well.
    client.setParseMode(undefined);
    return client;
  };
}

/** Asks for a QR login. @returns the link of the QR code; undefined once it was scanned: the client is logged in */
export async function askQrLink(client: TelegramClient): Promise<string | undefined> {
  const { apiId, apiHash } = client;
  const token = await client.invoke(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
  if (token instanceof Api.auth.LoginTokenSuccess) return undefined;
  if (!(token instanceof Api.auth.LoginToken)) throw new Error('no login token');
  return `tg://login?token=${token.token.toString('base64url')}`;
}

/** A user with the access hash: looked up once, as the gateway does. */
export async function peerOf(client: TelegramClient, username: string): Promise<Api.InputPeerUser> {
  const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  if (!(user instanceof Api.User) || user.accessHash === undefined) throw new Error(`no user is called ${username}`);
  return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
}
