import type { TelegramClient, tl } from '@mtcute/node';
import { randomLong } from '@mtcute/node/utils.js';
import { handleCommands, ready } from '../support/commands.ts';
import { mtcuteClients } from '../support/mtcute.ts';
import { repeat } from '../support/repeat.ts';
import type { Texts } from '../support/texts.ts';

/** Clients of mtcute at the sandbox at SANDBOX_URL, with nothing around them. They receive updates, as it does by default. */
const newClient = await mtcuteClients(process.env['SANDBOX_URL'] ?? '');
const clients: TelegramClient[] = [];
/** By the link of its QR code: resolves once the client is logged in. */
const logins = new Map<string, Promise<TelegramClient>>();

handleCommands({
  /** @returns the link of the QR code that has to be scanned before `finishLogin` */
  async startLogin(): Promise<string> {
    const client = newClient();
    return new Promise((resolve, reject) => {
      const login = client
        .signInQr({
          onUrlUpdated: (link) => {
            logins.set(link, login);
            resolve(link);
          },
        })
        .then(() => client);
      login.catch(reject);
    });
  },

  async finishLogin(link: string): Promise<void> {
    const client = await logins.get(link);
    if (client === undefined) throw new Error('no login has this link');
    logins.delete(link);
    clients.push(client);
  },

  async send({ username, text, count, inFlight, way }: Texts): Promise<void> {
    await Promise.all(
      clients.map(async (client) => {
        const peer = await client.resolvePeer(username);
        await repeat(count, inFlight, () => sendText(client, peer, text, way));
      }),
    );
  },
});
ready();

async function sendText(
  client: TelegramClient,
  peer: tl.TypeInputPeer,
  message: string,
  way: Texts['way'],
): Promise<void> {
  if (way === 'client') await client.sendText(peer, message);
  else await client.call({ _: 'messages.sendMessage', peer, message, randomId: randomLong() });
}
