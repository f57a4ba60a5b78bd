import { Api } from 'telegram/tl/index.js';
import type { RpcCall } from '../connection/rpc-caller.ts';
import type { ChatUsers } from '../peers/chat-users.ts';
import { long } from '../peers/text-entities.ts';

/** Telegram's maximum for one answer. */
const atOnce = 100;
/** Older ones are given up. */
const maxMessages = 10_000;
/** The newest message of a private chat or basic group is in one of the first dialogs, unless many channels are newer. */
const maxDialogs = 100;

type Ask = <R>(request: Parameters<RpcCall>[0] & { __response: R }) => Promise<R>;

/**
 * The messages of an account's private chats and basic groups above an ID, in their order, up to 100 at a time: Telegram
 * numbers them together. Those that were deleted are left out, and all but the newest 10,000.
 */
export async function* messagesAfter(
  ask: Ask,
  users: Pick<ChatUsers, 'learn'>,
  id: number,
): AsyncGenerator<Api.Message[]> {
  const newest = await newestMessage(ask);
  for (let from = Math.max(id + 1, newest - maxMessages + 1); from <= newest; from += atOnce) {
    const count = Math.min(atOnce, newest - from + 1);
    const ids = Array.from({ length: count }, (_, at) => new Api.InputMessageID({ id: from + at }));
    const answer = await ask(new Api.messages.GetMessages({ id: ids }));
    users.learn(answer);
    if (answer instanceof Api.messages.MessagesNotModified) continue;
    yield answer.messages
      .filter((message): message is Api.Message => message instanceof Api.Message)
      .toSorted((one, other) => one.id - other.id);
  }
}

/** The highest ID of a message in a private chat or basic group; 0 if there is none. */
async function newestMessage(ask: Ask): Promise<number> {
  const offset = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  const answer = await ask(new Api.messages.GetDialogs({ ...offset, limit: maxDialogs, hash: long(0n) }));
  if (answer instanceof Api.messages.DialogsNotModified) return 0;
  const isNumberedTogether = ({ peer }: Api.TypeDialog): boolean => !(peer instanceof Api.PeerChannel);
  return Math.max(0, ...answer.dialogs.filter(isNumberedTogether).map(({ topMessage }) => topMessage));
}
