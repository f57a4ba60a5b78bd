import { RpcError, type TlObject } from '../../rpc.ts';
import { topicOf } from '../../world/forums/find-topic.ts';
import { messagesInTopic } from '../../world/forums/topic-messages.ts';
import { boxOf, channelPeer, type PeerKey, peerKey, userPeer } from '../../world/state/peer.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { tlMessage } from '../objects/tl-message.ts';
import { historyOffsets, pageOf, tlMessages } from './messages/message-pages.ts';

const getHistory: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const all = world.tables.history(box, peerKey(peer));
  const ids = pageOf(all, historyOffsets(params), (id) => world.tables.message(box, id)?.date ?? 0);
  const rows = ids.flatMap((id) => world.tables.message(box, id) ?? []);
  return tlMessages(caller, box, rows, all.length);
};

/** The messages of a topic, or the replies to one message: https://core.telegram.org/api/threads */
const getReplies: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const root = params['msg_id'] as number;
  const chat = world.tables.chats.get(box);
  const isTopic = chat?.forum === true && topicOf(world, chat, root) !== undefined;
  if (!isTopic && !world.tables.message(box, root)) throw new RpcError(400, 'MSG_ID_INVALID');
  const all = isTopic
    ? messagesInTopic(world, chat, root).filter((id) => id !== root)
    : world.tables.history(box, peerKey(peer)).filter((id) => world.tables.message(box, id)?.replyTo === root);
  const ids = pageOf(all, historyOffsets(params), (id) => world.tables.message(box, id)?.date ?? 0);
  const rows = ids.flatMap((id) => world.tables.message(box, id) ?? []);
  return tlMessages(caller, box, rows, all.length);
};

const getMessages: Method = (params, caller) => {
  const box = peerKey(userPeer(caller.me.id));
  return tlMessagesById(caller, box, params['id'] as TlObject[]);
};

const getChannelMessages: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  return tlMessagesById(caller, peerKey(channelPeer(chat.id)), params['id'] as TlObject[]);
};

/** One message for each input; `messageEmpty` if it does not exist. */
function tlMessagesById(caller: Caller, box: PeerKey, inputs: readonly TlObject[]): TlObject {
  const { world, me } = caller;
  const ids = inputs.map((input) => messageIdOf(caller, box, input));
  const rows = ids.flatMap((id) => (id === undefined ? [] : (world.tables.message(box, id) ?? [])));
  const messages = ids.map((id) => {
    const row = id === undefined ? undefined : world.tables.message(box, id);
    return row ? tlMessage(world, me.id, row) : { _: 'messageEmpty', id: id ?? 0 };
  });
  return { ...tlMessages(caller, box, rows, messages.length), messages };
}

function messageIdOf({ world }: Caller, box: PeerKey, input: TlObject): number | undefined {
  if (input._ === 'inputMessageID') return input['id'] as number;
  if (input._ === 'inputMessageReplyTo') return world.tables.message(box, input['id'] as number)?.replyTo;
  if (input._ === 'inputMessagePinned') return world.tables.chats.get(box)?.pinned;
  return undefined;
}

export const historyMethods: Record<string, Method> = {
  'messages.getHistory': getHistory,
  'messages.getReplies': getReplies,
  'messages.getMessages': getMessages,
  'channels.getMessages': getChannelMessages,
};
