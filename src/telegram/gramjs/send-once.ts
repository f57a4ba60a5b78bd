import { Api } from 'telegram/tl/index.js';
import type { StopSignal } from '../../stop-signal.ts';
import type { KnownPeer, PeerBook } from '../peer-book.ts';
import { type OutgoingText, TelegramError } from '../port.ts';
import type { Call } from './caller.ts';
import { inputPeer } from './input-peer.ts';
import type { SentMessages } from './sent-messages.ts';
import { long, messageEntities } from './text-entities.ts';
import type { Upload } from './upload-file.ts';

/** What sending needs of an account. */
export interface Sending {
  book: PeerBook;
  sent: SentMessages;
  call: Call;
  upload: Upload;
}

/** One message that is to be sent, whatever it carries. */
export interface Dispatch {
  peer: KnownPeer;
  randomId: bigint;
  request: Api.messages.SendMessage | Api.messages.SendMedia;
  /** Whether a message of the account's own, in that chat, may be the one. */
  isIt: (message: Api.Message) => boolean;
}

/** The part of a request that any kind of message has. */
export function messageFields(
  { book }: Sending,
  peer: KnownPeer,
  { text, entities, randomId, replyTo, silent }: OutgoingText,
): Pick<Api.messages.SendMessage, 'peer' | 'message' | 'randomId'> {
  return {
    peer: inputPeer(peer),
    message: text,
    randomId: long(randomId),
    ...(entities.length > 0 && { entities: messageEntities(entities, book) }),
    ...(replyTo !== undefined && { replyTo: new Api.InputReplyToMessage({ replyToMsgId: replyTo }) }),
    ...(silent === true && { silent }),
  };
}

/**
 * Sends a message, and never a second time: Telegram takes a random ID once, and where the answer to that was lost, the
 * message is found again. @returns its message ID @throws {TelegramError} {@link NotConnectedError}
 */
export async function sendOnce({ sent, call }: Sending, dispatch: Dispatch, signal: StopSignal): Promise<number> {
  const { peer, randomId } = dispatch;
  sent.begin(randomId, peer.id);
  try {
    const id = await idOfSent(sent, call, dispatch, signal);
    if (id === undefined) throw new Error('telegram sent the message but did not say under which ID');
    sent.remember(randomId, id);
    return id;
  } finally {
    sent.end(peer.id);
  }
}

async function idOfSent(
  sent: SentMessages,
  call: Call,
  dispatch: Dispatch,
  signal: StopSignal,
): Promise<number | undefined> {
  const { randomId, request } = dispatch;
  try {
    return messageIdIn(await call(request as Api.messages.SendMessage, signal), randomId);
  } catch (error) {
    if (!(error instanceof TelegramError && error.errorName === 'RANDOM_ID_DUPLICATE')) throw error;
    // D9: it went out before, and the answer was lost.
    const id = sent.idOf(randomId) ?? (await findSent(sent, call, dispatch, signal));
    if (id === undefined) throw error;
    return id;
  }
}

/** The ID of the sent message, in what Telegram answers. */
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

/** The latest message of ours that may be it, and that no other sending claims. */
async function findSent(
  sent: SentMessages,
  call: Call,
  { peer, isIt }: Dispatch,
  signal: StopSignal,
): Promise<number | undefined> {
  const isOurs = (message: Api.TypeMessage): boolean =>
    message instanceof Api.Message &&
    (message.out === true || message.post === true) &&
    isIt(message) &&
    !sent.isClaimed(peer.id, message.id);
  let offsetId = 0;
  for (let page = 0; page < searchedPages; page++) {
    const history = await call(historyRequest(peer, offsetId), signal);
    if (history instanceof Api.messages.MessagesNotModified) return undefined;
    const found = history.messages.find(isOurs);
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
