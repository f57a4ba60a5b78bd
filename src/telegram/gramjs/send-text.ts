import { Api } from 'telegram/tl/index.js';
import type { StopSignal } from '../../stop-signal.ts';
import type { KnownPeer, PeerBook } from '../peer-book.ts';
import { type OutgoingText, TelegramError } from '../port.ts';
import { inputPeer } from './input-peer.ts';
import { plainTextRequest } from './plain-text-request.ts';
import { long, messageEntities } from './text-entities.ts';

export interface Sending {
  book: PeerBook;
  sent: SentMessages;
  call: <R extends Api.AnyRequest>(request: R, signal: StopSignal) => Promise<R['__response']>;
}

/** Sends one text, once. @returns its message ID @throws {TelegramError} {@link NotConnectedError} */
export async function sendText(
  { book, sent, call }: Sending,
  peer: KnownPeer,
  { text, entities, randomId, replyTo, silent }: OutgoingText,
  signal: StopSignal,
): Promise<number> {
  const isPlain = entities.length === 0 && replyTo === undefined;
  const request = isPlain
    ? plainTextRequest(peer, text, randomId, silent === true)
    : new Api.messages.SendMessage({
        peer: inputPeer(peer),
        message: text,
        randomId: long(randomId),
        ...(entities.length > 0 && { entities: messageEntities(entities, book) }),
        ...(replyTo !== undefined && { replyTo: new Api.InputReplyToMessage({ replyToMsgId: replyTo }) }),
        ...(silent === true && { silent }),
      });
  let id: number | undefined;
  try {
    id = messageIdIn(await call(request, signal), randomId);
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // D9: it went out before, and the answer was lost.
    id = sent.idOf(randomId) ?? (await findSent({ book, sent, call }, peer, text, signal));
    if (id === undefined) throw error;
  }
  if (id === undefined) throw new Error('telegram sent the message but did not say under which ID');
  sent.remember(randomId, peer.id, id);
  return id;
}

/** The ID of the sent message, in what Telegram answers or pushes. */
function messageIdIn(updates: Api.TypeUpdates, randomId: bigint): number | undefined {
  if (updates instanceof Api.UpdateShortSentMessage) return updates.id;
  if (!(updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined)) return undefined;
  const wanted = randomId.toString();
  const named = updates.updates.find(
    (update): update is Api.UpdateMessageID =>
      update instanceof Api.UpdateMessageID && update.randomId?.toString() === wanted,
  );
  return named?.id;
}

/** How far back a message is looked for whose ID is not known: pages, and messages in each. */
const searchedPages = 10;
const pageSize = 100;

/** The latest message of ours with this text that no other sending claims. */
async function findSent(
  { sent, call }: Sending,
  peer: KnownPeer,
  text: string,
  signal: StopSignal,
): Promise<number | undefined> {
  const isIt = (message: Api.TypeMessage): boolean =>
    message instanceof Api.Message &&
    (message.out === true || message.post === true) &&
    message.message.trim() === text.trim() &&
    !sent.isClaimed(peer.id, message.id);
  let offsetId = 0;
  for (let page = 0; page < searchedPages; page++) {
    const history = await call(historyRequest(peer, offsetId), signal);
    if (history instanceof Api.messages.MessagesNotModified) return undefined;
    const found = history.messages.find(isIt);
    const last = history.messages.at(-1);
    if (found !== undefined || last === undefined) return found?.id;
    offsetId = last.id;
  }
  return undefined;
}

function historyRequest(peer: KnownPeer, offsetId: number): Api.messages.GetHistory {
  return new Api.messages.GetHistory({
    peer: inputPeer(peer),
    offsetId,
    limit: pageSize,
    offsetDate: 0,
    addOffset: 0,
    maxId: 0,
    minId: 0,
    hash: long(0n),
  });
}

const mostRemembered = 1_000;

/** Which sending became which message, for the last ones of an account. */
export class SentMessages {
  readonly #byRandomId = new Map<bigint, { chat: string; id: number }>();

  remember(randomId: bigint, chat: string, id: number): void {
    this.#byRandomId.set(randomId, { chat, id });
    for (const oldest of this.#byRandomId.keys()) {
      if (this.#byRandomId.size <= mostRemembered) break;
      this.#byRandomId.delete(oldest);
    }
  }

  idOf(randomId: bigint): number | undefined {
    return this.#byRandomId.get(randomId)?.id;
  }

  isClaimed(chat: string, id: number): boolean {
    return [...this.#byRandomId.values()].some((message) => message.id === id && message.chat === chat);
  }
}
