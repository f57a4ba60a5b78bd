// oxlint-disable-next-line import/no-unassigned-import -- as in the gateway: before anything of GramJS
import '../../src/telegram/gramjs/native-numbers.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import bigInt from 'big-integer';
import { Api, Logger, TelegramClient } from 'telegram';
import { LogLevel } from 'telegram/extensions/Logger.js';
import { ConnectionTCPFull } from 'telegram/network/index.js';
import { StringSession } from 'telegram/sessions/index.js';
import { systemClock } from '../../src/clock.ts';
import { trustServerKey } from '../../src/telegram/gramjs/server-key.ts';
import { applySpeedUps } from '../../src/telegram/gramjs/speed-ups.ts';
import { TcpSocket } from '../../src/telegram/gramjs/tcp-socket.ts';
import { fetchSandboxNetwork } from '../../src/telegram/network.ts';

/**
 * GramJS as it comes, made as fast as the gateway's, and nothing around it: logged in as BARE_USER at the sandbox at
 * BARE_SANDBOX. `POST /?count=…&inFlight=…&to=…` has it send the body so many times.
 */
const sandboxUrl = process.env['BARE_SANDBOX'] ?? '';
const network = await fetchSandboxNetwork(sandboxUrl, systemClock, AbortSignal.timeout(10_000));
applySpeedUps();
if (network.publicKey !== undefined) trustServerKey(network.publicKey);

type ConnectionOptions = ConstructorParameters<typeof ConnectionTCPFull>[0];
/** GramJS asks for port 80 of whatever address it is given. */
class SandboxConnection extends ConnectionTCPFull {
  constructor(options: ConnectionOptions) {
    const dc = network.dcs.find(({ id }) => id === options.dcId);
    super({ ...options, ...(dc && { ip: dc.host, port: dc.port }) });
  }
}

const session = new StringSession('');
session.setDC(network.homeDc, '127.0.0.1', 443);
const client = new TelegramClient(session, network.apiId, network.apiHash, {
  connection: SandboxConnection,
  networkSocket: TcpSocket as unknown as ConnectionOptions['socket'],
  baseLogger: new Logger(LogLevel.NONE),
  securityChecks: true,
});
await client.connect();
await logIn();

async function logIn(): Promise<void> {
  const ask = (): Promise<Api.auth.TypeLoginToken> =>
    client.invoke(new Api.auth.ExportLoginToken({ apiId: network.apiId, apiHash: network.apiHash, exceptIds: [] }));
  const token = await ask();
  if (!(token instanceof Api.auth.LoginToken)) throw new Error('no login token');
  const link = `tg://login?token=${token.token.toString('base64url')}`;
  const scanned = await fetch(`${sandboxUrl}/qr/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ link, userId: process.env['BARE_USER'] }),
  });
  if (!scanned.ok) throw new Error(await scanned.text());
  if (!((await ask()) instanceof Api.auth.LoginTokenSuccess)) throw new Error('not logged in');
}

/** The one who is written to, with the access hash: looked up once, as the gateway does. */
async function peerOf(username: string): Promise<Api.InputPeerUser> {
  const { users } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [user] = users;
  if (!(user instanceof Api.User) || user.accessHash === undefined) throw new Error(`nobody is called ${username}`);
  return new Api.InputPeerUser({ userId: user.id, accessHash: user.accessHash });
}

async function send(text: string, count: number, inFlight: number, peer: Api.InputPeerUser): Promise<void> {
  let begun = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const randomId = bigInt.randBetween(bigInt.one, bigInt(2).pow(62));
      await client.invoke(new Api.messages.SendMessage({ peer, message: text, randomId }));
    }
  };
  await Promise.all(Array.from({ length: inFlight }, oneAfterTheOther));
}

const server = createServer(async (request, response) => {
  const query = new URL(request.url ?? '', 'http://localhost').searchParams;
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const peer = await peerOf(query.get('to') ?? '');
  await send(String(Buffer.concat(body)), Number(query.get('count')), Number(query.get('inFlight')), peer);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
