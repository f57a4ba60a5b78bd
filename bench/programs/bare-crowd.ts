// oxlint-disable-next-line import/no-unassigned-import -- as in the gateway: before anything of GramJS
import '../../src/telegram/gramjs/library/native-numbers.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TelegramClient } from 'telegram';
import { bareTelegram, peerOf } from '../support/bare-telegram.ts';

/**
 * Many clients in one process: logged in as each of BARE_USERS (IDs, parted by commas) at the sandbox at BARE_SANDBOX.
 * `POST /?to=…&count=…` has each send so many texts, one after the other, all of them at once.
 */
const text = 'The train leaves at 8:15 from platform 4, see you there';
const telegram = await bareTelegram(process.env['BARE_SANDBOX'] ?? '');
const clients: TelegramClient[] = [];
for (const user of (process.env['BARE_USERS'] ?? '').split(',')) clients.push(await telegram.logIn(user));

async function sendMany(client: TelegramClient, username: string, count: number): Promise<void> {
  const peer = await peerOf(client, username);
  for (let sent = 0; sent < count; sent++) await client.sendMessage(peer, { message: text });
}

const server = createServer((request, response) => {
  const { searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  Promise.all(clients.map((client) => sendMany(client, query.get('to') ?? '', Number(query.get('count'))))).then(
    () => response.end(),
    (error: unknown) => response.destroy(error as Error),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
