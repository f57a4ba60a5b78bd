import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { PeerNotFoundError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';
import type {
  ChatReading,
  ListedChat,
  ListPage,
  ListPlace,
  MessagePage,
  MessagesOptions,
  SearchPage,
  SearchPlace,
  SeenMessage,
} from '../../port/reading.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';
import { type AskInsideDeps, askInside } from './ask-inside.ts';
import { folders } from './folders.ts';
import { historyPage, type Messages } from './history.ts';
import { type DialogsAnswer, dialogsIn, listedChats, topOf } from './listed-chats.ts';
import { messagesOfChat, messagesRequest } from './messages-by-id.ts';
import { searchAll } from './search-all.ts';
import { Entities, seenMessage } from './seen-message.ts';

export interface ChatReadingDeps extends AskInsideDeps {
  clock: Clock;
  /** The account's own user ID. */
  ownId: () => string;
}

/** The chats of a connected account, as a reader sees them. */
export class GramChatReading implements ChatReading {
  readonly #deps: ChatReadingDeps;

  constructor(deps: ChatReadingDeps) {
    this.#deps = deps;
  }

  async list(
    { archived, after, limit }: { archived: boolean; after: ListPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<ListPage> {
    const request = new Api.messages.GetDialogs({
      ...this.#offsetOf(after),
      folderId: archived ? folders.archive : folders.list,
      limit,
      hash: long(0n),
      ...(after !== undefined && { excludePinned: true }),
    });
    const answer = await this.#deps.call(request, signal);
    if (answer instanceof Api.messages.DialogsNotModified) throw new Error('telegram left out what was asked for');
    const next = answer instanceof Api.messages.DialogsSlice ? placeAfter(answer, answer.count, after) : undefined;
    return { chats: listedChats(answer, this.#reader), ...(next !== undefined && { next }) };
  }

  async chat(peer: Peer, signal: LightAbortSignal): Promise<ListedChat> {
    const known = this.#known(peer);
    const peers = [new Api.InputDialogPeer({ peer: inputPeer(known) })];
    const answer = await this.#ask(known, new Api.messages.GetPeerDialogs({ peers }), signal);
    const [chat] = listedChats(answer, this.#reader);
    if (chat === undefined) throw new PeerNotFoundError(`telegram says nothing of ${peer.id}`);
    return chat;
  }

  messages(peer: Peer, page: MessagesOptions, signal: LightAbortSignal): Promise<MessagePage> {
    const known = this.#known(peer);
    return this.#page(page, async (offsetId, limit) => {
      const offset = { offsetId, limit, offsetDate: 0, addOffset: 0, maxId: 0, minId: 0, hash: long(0n) };
      const request =
        page.topic === undefined
          ? new Api.messages.GetHistory({ peer: inputPeer(known), ...offset })
          : new Api.messages.GetReplies({ peer: inputPeer(known), msgId: page.topic, ...offset });
      return whole(await this.#ask<Api.messages.GetHistory | Api.messages.GetReplies>(known, request, signal));
    });
  }

  async message(peer: Peer, id: number, signal: LightAbortSignal): Promise<SeenMessage | undefined> {
    const known = this.#known(peer);
    const answer = whole(await this.#ask(known, messagesRequest(known, [id]), signal));
    const [found] = messagesOfChat(answer, known);
    if (!(found instanceof Api.Message)) return undefined;
    return seenMessage(found, new Entities(answer), this.#deps.ownId());
  }

  async scheduled(peer: Peer, signal: LightAbortSignal): Promise<SeenMessage[]> {
    const known = this.#known(peer);
    const request = new Api.messages.GetScheduledHistory({ peer: inputPeer(known), hash: long(0n) });
    const answer = whole(await this.#ask(known, request, signal));
    const entities = new Entities(answer);
    const messages = answer.messages.filter((message): message is Api.Message => message instanceof Api.Message);
    return messages
      .toSorted((a, b) => a.date - b.date || a.id - b.id)
      .map((message) => seenMessage(message, entities, this.#deps.ownId()));
  }

  search(peer: Peer, words: string, page: MessagesOptions, signal: LightAbortSignal): Promise<MessagePage> {
    const known = this.#known(peer);
    return this.#page(page, async (offsetId, limit) => {
      const request = new Api.messages.Search({
        peer: inputPeer(known),
        q: words,
        filter: new Api.InputMessagesFilterEmpty(),
        minDate: 0,
        maxDate: 0,
        offsetId,
        limit,
        addOffset: 0,
        maxId: 0,
        minId: 0,
        hash: long(0n),
        ...(page.topic !== undefined && { topMsgId: page.topic }),
      });
      return whole(await this.#ask(known, request, signal));
    });
  }

  searchAll(
    words: string,
    page: { after: SearchPlace | undefined; limit: number },
    signal: LightAbortSignal,
  ): Promise<SearchPage> {
    return searchAll(this.#deps, words, page, signal);
  }

  async #page(
    { before, limit }: MessagesOptions,
    ask: (offsetId: number, limit: number) => Promise<Messages>,
  ): Promise<MessagePage> {
    const page = await historyPage(ask, before, limit);
    const entities = new Entities(page.answer);
    const ownId = this.#deps.ownId();
    const messages = page.answer.messages.filter((message): message is Api.Message => message instanceof Api.Message);
    return { messages: messages.map((message) => seenMessage(message, entities, ownId)), before: page.before };
  }

  #offsetOf(after: ListPlace | undefined): Pick<Api.messages.GetDialogs, 'offsetDate' | 'offsetId' | 'offsetPeer'> {
    const known = after && this.#deps.book.get(after.chatId);
    if (after === undefined || known === undefined || after.messageId === 0) {
      return { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
    }
    return { offsetDate: after.date, offsetId: after.messageId, offsetPeer: inputPeer(known) };
  }

  get #reader(): { ownId: string; at: number } {
    return { ownId: this.#deps.ownId(), at: this.#deps.clock.now() / 1000 };
  }

  #known(peer: Peer): KnownPeer {
    return knownPeer(this.#deps.book, peer);
  }

  #ask<R extends Api.AnyRequest>(known: KnownPeer, request: R, signal: LightAbortSignal): Promise<R['__response']> {
    return askInside(this.#deps, known, request, signal);
  }
}

/** The next page begins after the last chat that is not pinned: those come first, wherever their place is. */
function placeAfter(answer: DialogsAnswer, count: number, before: ListPlace | undefined): ListPlace | undefined {
  const dialogs = dialogsIn(answer);
  const seen = (before?.seen ?? 0) + dialogs.length;
  if (dialogs.length === 0 || seen >= count) return undefined;
  for (const dialog of dialogs.toReversed()) {
    const top = dialog.pinned ? undefined : topOf(answer, dialog);
    if (top !== undefined) {
      return { date: top.date, messageId: dialog.topMessage, chatId: peerId(dialog.peer), seen };
    }
  }
  return { date: 0, messageId: 0, chatId: '', seen };
}

function whole(answer: Api.messages.TypeMessages): Messages {
  if (answer instanceof Api.messages.MessagesNotModified) throw new Error('telegram left out what was asked for');
  return answer;
}
