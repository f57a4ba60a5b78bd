import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel } from '../peers/input-peer.ts';
import { isNumberedAlone } from '../peers/known-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import type { Messages } from './history.ts';

/** The request for messages of a chat by their IDs. Private chats and basic groups share one numbering, and it names none. */
export function messagesRequest(
  known: KnownPeer,
  ids: readonly number[],
): Api.channels.GetMessages | Api.messages.GetMessages {
  const id = ids.map((one) => new Api.InputMessageID({ id: one }));
  return isNumberedAlone(known)
    ? new Api.channels.GetMessages({ channel: inputChannel(known), id })
    : new Api.messages.GetMessages({ id });
}

/** Those messages of the answer that are in the chat, in their order. */
export function messagesOfChat({ messages }: Messages, known: KnownPeer): (Api.Message | Api.MessageService)[] {
  return messages.filter(
    (message): message is Api.Message | Api.MessageService =>
      !(message instanceof Api.MessageEmpty) && peerId(message.peerId) === known.id,
  );
}

/** Up to 100 messages of a chat by their IDs, those that it has. @throws {TelegramError} {@link NotConnectedError} */
export async function messagesById(
  call: RpcCall,
  known: KnownPeer,
  ids: readonly number[],
  signal: LightAbortSignal,
): Promise<(Api.Message | Api.MessageService)[]> {
  const answer = await call(messagesRequest(known, ids), signal);
  if (answer instanceof Api.messages.MessagesNotModified) throw new Error('telegram left out what was asked for');
  return messagesOfChat(answer, known);
}
