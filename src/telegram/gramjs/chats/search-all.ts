import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import type { SearchPage, SearchPlace } from '../../port/reading.ts';
import { serviceAccounts } from '../../port/service-accounts.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { Entities, seenMessage } from './seen-message.ts';

interface SearchAllDeps {
  book: PeerCache;
  call: RpcCall;
  /** The account's own user ID. */
  ownId: () => string;
}

/**
 * The messages of all chats that have the words, newest first. A page that has only what Telegram's own accounts wrote is
 * passed over: an empty page that leads to another one would say that it was there.
 * @throws {TelegramError} {@link NotConnectedError}
 */
export async function searchAll(
  deps: SearchAllDeps,
  words: string,
  { after, limit }: { after: SearchPlace | undefined; limit: number },
  signal: LightAbortSignal,
): Promise<SearchPage> {
  let place = after;
  for (;;) {
    const { messages, next } = await searchPage(deps, words, { after: place, limit }, signal);
    if (messages.length > 0 || next === undefined) return { messages, ...(next && { next }) };
    place = next;
  }
}

async function searchPage(
  { book, call, ownId }: SearchAllDeps,
  words: string,
  { after, limit }: { after: SearchPlace | undefined; limit: number },
  signal: LightAbortSignal,
): Promise<SearchPage> {
  const last = after && book.get(after.chatId);
  const request = new Api.messages.SearchGlobal({
    q: words,
    filter: new Api.InputMessagesFilterEmpty(),
    minDate: 0,
    maxDate: 0,
    offsetRate: after?.rate ?? 0,
    offsetPeer: last === undefined ? new Api.InputPeerEmpty() : inputPeer(last),
    offsetId: after?.messageId ?? 0,
    limit,
  });
  const answer = await call(request, signal);
  if (answer instanceof Api.messages.MessagesNotModified) throw new Error('telegram left out what was asked for');
  const found = answer.messages.filter((message): message is Api.Message => message instanceof Api.Message);
  const entities = new Entities(answer);
  const shown = found.filter((message) => !serviceAccounts.has(peerId(message.peerId)));
  const next = placeAfter(answer);
  return { messages: shown.map((message) => seenMessage(message, entities, ownId())), ...(next && { next }) };
}

/** The rate that Telegram gives out leads to the next page; the last page has none. */
function placeAfter(
  answer: Exclude<Api.messages.TypeMessages, Api.messages.MessagesNotModified>,
): SearchPlace | undefined {
  if (!(answer instanceof Api.messages.MessagesSlice) || !answer.nextRate) return undefined;
  const last = answer.messages.at(-1);
  if (last === undefined || last instanceof Api.MessageEmpty) return undefined;
  return { rate: answer.nextRate, chatId: peerId(last.peerId), messageId: last.id };
}
