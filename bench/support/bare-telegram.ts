import { Api, Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull } from 'telegram/network/index.js';
import { StringSession } from 'telegram/sessions/index.js';
import { systemClock } from '../../src/config/clock.ts';
import { fetchSandboxNetwork, type TelegramNetwork } from '../../src/telegram/connection/network.ts';
import { trustServerKey } from '../../src/telegram/gramjs/library/server-key.ts';
import { applySpeedUps } from '../../src/telegram/gramjs/library/speed-ups.ts';
import { TcpSocket } from '../../src/telegram/gramjs/library/tcp-socket.ts';

type ConnectionOptions = ConstructorParameters<typeof ConnectionTCPFull>[0];

/** GramJS as it comes, made as fast as the gateway's, with nothing around it. */
export interface BareTelegram {
  /** A client that is logged in as this user, whose phone is the sandbox's. */
  logIn(userId: string): Promise<TelegramClient>;
}

/**
 * To be imported behind `src/telegram/gramjs/library/native-numbers.ts`, as the gateway does; called before any client is made.
 * @param sandboxUrl the sandbox's control API
 */
export async function bareTelegram(sandboxUrl: string): Promise<BareTelegram> {
  const network = await fetchSandboxNetwork(sandboxUrl, systemClock, AbortSignal.timeout(10_000));
  applySpeedUps();
  if (network.publicKey !== undefined) trustServerKey(network.publicKey);
  return {
    async logIn(userId) {
      const client = makeClient(network);
      // The texts that the gateway is sent are plain as well.
      client.setParseMode(undefined);
      await client.connect();
      await scanQr(client, network, sandboxUrl, userId);
      return client;
    },
  };
}

function makeClient(network: TelegramNetwork): TelegramClient {
  const session = new StringSession('');
  session.setDC(network.homeDc, '127.0.0.1', 443);
  /** GramJS asks for port 80 of whatever address it is given. */
  class SandboxConnection extends ConnectionTCPFull {
    constructor(options: ConnectionOptions) {
      const dc = network.dcs.find(({ id }) => id === options.dcId);
      super({ ...options, ...(dc && { ip: dc.host, port: dc.port }) });
    }
  }
  return new TelegramClient(session, network.apiId, network.apiHash, {
    connection: SandboxConnection,
    networkSocket: TcpSocket as unknown as ConnectionOptions['socket'],
    baseLogger: new Logger(LogLevel.NONE),
    securityChecks: true,
  });
}

async function scanQr(
  client: TelegramClient,
  { apiId, apiHash }: TelegramNetwork,
  sandboxUrl: string,
  userId: string,
): Promise<void> {
  const ask = (): Promise<Api.auth.TypeLoginToken> =>
    client.invoke(new Api.auth.ExportLoginToken({ apiId, apiHash, exceptIds: [] }));
  const token = await ask();
  if (!(token instanceof Api.auth.LoginToken)) throw new Error('no login token');
  const link = `tg://login?token=${token.token.toString('base64url')}`;
  const scanned = await fetch(`${sandboxUrl}/qr/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link, userId }),
  });
  if (!scanned.ok) throw new Error(await scanned.text());
  if (!((await ask()) instanceof Api.auth.LoginTokenSuccess)) throw new Error('not logged in');
}

/** The one who is written to, with the access hash: looked up once, as the gateway does. */
export async function peerOf(client: TelegramClient, username: string): Promise<Api.InputPeerUser> {
  const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  if (!(user instanceof Api.User) || user.accessHash === undefined) throw new Error(`nobody is called ${username}`);
  return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
}
