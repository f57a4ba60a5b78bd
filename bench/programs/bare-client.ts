// oxlint-disable-next-line import/no-unassigned-import -- as in the gateway: before anything of GramJS
import '../../src/telegram/gramjs/library/native-numbers.ts';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import bigInt from 'big-integer';
import { Api } from 'telegram';
import { CustomFile } from 'telegram/client/uploads.js';
import { bareTelegram, peerOf } from '../support/bare-telegram.ts';

/**
 * GramJS as it comes, made as fast as the gateway's, and nothing around it: logged in as BARE_USER at the sandbox at
 * BARE_SANDBOX. `POST /?count=…&inFlight=…&to=…&way=…` has it send the body so many times,
 * `POST /upload?path=…&inFlight=…` upload a file, so many parts at a time, `POST /history?of=…&count=…` read a channel's
 * newest 100 messages so many times, `POST /file?message=…&parts=…` fetch so many parts of 512 KB, one after the other, of the
 * file of a message in a private chat.
 */
const telegram = await bareTelegram(process.env['BARE_SANDBOX'] ?? '');
const client = await telegram.logIn(process.env['BARE_USER'] ?? '');

/** `client`: the client's own way to send a text; `invoke`: nothing but the request itself. */
type Way = 'client' | 'invoke';

async function sendOne(text: string, peer: Api.InputPeerUser, way: Way): Promise<void> {
  if (way === 'client') {
    await client.sendMessage(peer, { message: text });
    return;
  }
  const randomId = bigInt.randBetween(bigInt.one, bigInt(2).pow(62));
  await client.invoke(new Api.messages.SendMessage({ peer, message: text, randomId }));
}

async function upload(path: string, workers: number): Promise<void> {
  const { size } = await stat(path);
  const file = new CustomFile(basename(path), size, path);
  await client.uploadFile({ file, workers });
}

/** @returns the milliseconds of each time */
async function readNewest(username: string, count: number): Promise<number[]> {
  const { chats } = await client.invoke(new Api.contacts.ResolveUsername({ username }));
  const [chat] = chats;
  if (!(chat instanceof Api.Channel) || chat.accessHash === undefined)
    throw new Error(`no channel is called ${username}`);
  const peer = new Api.InputPeerChannel({ channelId: chat.id, accessHash: chat.accessHash });
  const newest = { offsetId: 0, offsetDate: 0, addOffset: 0, limit: 100, maxId: 0, minId: 0, hash: bigInt.zero };
  const took: number[] = [];
  for (let time = 0; time < count; time++) {
    const begun = performance.now();
    await client.invoke(new Api.messages.GetHistory({ peer, ...newest }));
    took.push(performance.now() - begun);
  }
  return took;
}

const partBytes = 512 * 1024;

async function fetchFile(message: number, parts: number): Promise<void> {
  const found = await client.invoke(new Api.messages.GetMessages({ id: [new Api.InputMessageID({ id: message })] }));
  const [first] = found instanceof Api.messages.MessagesNotModified ? [] : found.messages;
  const media = first instanceof Api.Message ? first.media : undefined;
  if (!(media instanceof Api.MessageMediaDocument && media.document instanceof Api.Document))
    throw new Error('no file');
  const { id, accessHash, fileReference } = media.document;
  const location = new Api.InputDocumentFileLocation({ id, accessHash, fileReference, thumbSize: '' });
  for (let part = 0; part < parts; part++) {
    const offset = bigInt(part * partBytes);
    const file = await client.invoke(new Api.upload.GetFile({ location, offset, limit: partBytes }));
    if (!(file instanceof Api.upload.File) || file.bytes.length === 0) throw new Error('no part');
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  if (pathname === '/file') {
    await fetchFile(Number(query.get('message')), Number(query.get('parts')));
    response.end();
    return;
  }
  if (pathname === '/upload') {
    await upload(query.get('path') ?? '', Number(query.get('inFlight')));
    response.end();
    return;
  }
  if (pathname === '/history') {
    response.end(JSON.stringify(await readNewest(query.get('of') ?? '', Number(query.get('count')))));
    return;
  }
  const body: Buffer[] = [];
  for await (const chunk of request) body.push(chunk as Buffer);
  const text = String(Buffer.concat(body));
  const way = query.get('way') === 'invoke' ? 'invoke' : 'client';
  const peer = await peerOf(client, query.get('to') ?? '');
  let left = Number(query.get('count'));
  const oneAfterTheOther = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await sendOne(text, peer, way);
    }
  };
  await Promise.all(Array.from({ length: Number(query.get('inFlight')) }, oneAfterTheOther));
  response.end();
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => response.destroy(error as Error));
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
