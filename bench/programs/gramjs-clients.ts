// oxlint-disable-next-line import/no-unassigned-import -- as in the gateway: before anything of GramJS
import '../../src/telegram/gramjs/library/native-numbers.ts';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import bigInt from 'big-integer';
import { Api, type TelegramClient } from 'telegram';
import { CustomFile } from 'telegram/client/uploads.js';
import { handleCommands, ready } from '../support/commands.ts';
import { askQrLink, gramjsClients, peerOf } from '../support/gramjs.ts';
import { repeat } from '../support/repeat.ts';
import type { Texts } from '../support/texts.ts';

/** Clients of GramJS at the sandbox at SANDBOX_URL, with nothing around them. All but `send` is done by the first client. */
const newClient = await gramjsClients(process.env['SANDBOX_URL'] ?? '');
const clients: TelegramClient[] = [];
/** By the link of its QR code. */
const unscanned = new Map<string, TelegramClient>();

handleCommands({
  /** @returns the link of the QR code that has to be scanned before `finishLogin` */
  async startLogin(): Promise<string> {
    const client = newClient();
    await client.connect();
    const link = await askQrLink(client);
    if (link === undefined) throw new Error('logged in without a scan');
    unscanned.set(link, client);
    return link;
  },

  async finishLogin(link: string): Promise<void> {
    const client = unscanned.get(link);
    if (client === undefined || (await askQrLink(client)) !== undefined) throw new Error('not scanned');
    unscanned.delete(link);
    clients.push(client);
  },

  async send({ username, text, count, inFlight, way }: Texts): Promise<void> {
    await Promise.all(
      clients.map(async (client) => {
        const peer = await peerOf(client, username);
        await repeat(count, inFlight, () => sendText(client, peer, text, way));
      }),
    );
  },

  async upload({ path, partsInFlight }: { path: string; partsInFlight: number }): Promise<void> {
    const { size } = await stat(path);
    const file = new CustomFile(basename(path), size, path);
    await firstClient().uploadFile({ file, workers: partsInFlight });
  },

  /** Reads the newest 100 messages of a channel, or of the chat with a person. @returns the milliseconds of each time */
  async readHistory({ username, count, kind = 'channel' }: HistoryReads): Promise<number[]> {
    const client = firstClient();
    const peer = await (kind === 'channel' ? channelOf : peerOf)(client, username);
    const newest = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: bigInt.zero };
    return repeat(count, 1, async () => {
      const started = performance.now();
      await client.invoke(new Api.messages.GetHistory({ peer, ...newest }));
      return performance.now() - started;
    });
  },

  /** Reads the first page of the list of chats. @returns the milliseconds of each time */
  async readChats({ limit, count }: { limit: number; count: number }): Promise<number[]> {
    const client = firstClient();
    const first = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty(), limit, hash: bigInt.zero };
    return repeat(count, 1, async () => {
      const started = performance.now();
      await client.invoke(new Api.messages.GetDialogs({ ...first, folderId: 0 }));
      return performance.now() - started;
    });
  },

  /** Fetches the first parts of 512 KB of the file of a message in a private chat, one after the other. */
  async fetchFile({ message, parts }: { message: number; parts: number }): Promise<void> {
    const client = firstClient();
    const location = await fileOf(client, message);
    for (let part = 0; part < parts; part++) {
      const offset = bigInt(part * partBytes);
      const file = await client.invoke(new Api.upload.GetFile({ location, offset, limit: partBytes }));
      if (!(file instanceof Api.upload.File) || file.bytes.length === 0) throw new Error('no part');
    }
  },
});
ready();

interface HistoryReads {
  username: string;
  count: number;
  kind?: 'channel' | 'user';
}

const partBytes = 512 * 1024;

function firstClient(): TelegramClient {
  const [client] = clients;
  if (client === undefined) throw new Error('no client is logged in');
  return client;
}

async function sendText(
  client: TelegramClient,
  peer: Api.InputPeerUser,
  message: string,
  way: Texts['way'],
): Promise<void> {
  if (way === 'client') {
    await client.sendMessage(peer, { message });
    return;
  }
  const randomId = bigInt.randBetween(bigInt.one, bigInt(2).pow(62));
  await client.invoke(new Api.messages.SendMessage({ peer, message, randomId }));
}

async function channelOf(client: TelegramClient, username: string): Promise<Api.InputPeerChannel> {
  const { chats } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [chat] = chats;
  if (!(chat instanceof Api.Channel) || chat.accessHash === undefined)
    throw new Error(`no channel is called ${username}`);
  return new Api.InputPeerChannel({ channelId: chat.id, accessHash: chat.accessHash });
}

async function fileOf(client: TelegramClient, message: number): Promise<Api.InputDocumentFileLocation> {
  const found = await client.invoke(new Api.messages.GetMessages({ id: [new Api.InputMessageID({ id: message })] }));
  const [first] = found instanceof Api.messages.MessagesNotModified ? [] : found.messages;
  const media = first instanceof Api.Message ? first.media : undefined;
  if (!(media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document))
    throw new Error(`message ${message} has no file`);
  const { id, accessHash, fileReference } = media.document;
  return new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: '' });
}
