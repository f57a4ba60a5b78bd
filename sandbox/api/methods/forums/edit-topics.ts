import { RpcError, type TlObject } from '../../../rpc.ts';
import { requireAdminRight } from '../../../world/chats/rights.ts';
import { createTopic, deleteTopic, editTopic, pinTopic, toggleForum } from '../../../world/forums/topics.ts';
import { channelPeer, peerKey } from '../../../world/state/peer.ts';
import { inputChannel } from '../../input/input-peer.ts';
import type { Method } from '../../method.ts';
import { tlAffectedMessages } from '../../objects/tl-affected-messages.ts';
import { pushUpdates } from '../../push/push-updates.ts';
import { answerChange } from '../chats/answer-change.ts';
import { inputForum } from './input-forum.ts';

const toggle: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  if (!chat.megagroup) throw new RpcError(400, 'CHANNEL_INVALID');
  requireAdminRight(chat, caller.me.id, 'change_info');
  return answerChange(caller, toggleForum(caller.world, chat, params['enabled'] === true));
};

const create: Method = (params, caller) => {
  const { world, me, login } = caller;
  const chat = inputForum(caller, params);
  const { title, icon_color: iconColor, icon_emoji_id: iconEmojiId, random_id: randomId } = params;
  const sent = createTopic(world, chat, me.id, { title, iconColor, iconEmojiId, randomId, sentBy: login.hash });
  const answer = answerChange(caller, { updates: sent.updates, notices: [] });
  const named = { _: 'updateMessageID', id: sent.message.id, random_id: randomId };
  return { ...answer, updates: [named, ...(answer['updates'] as TlObject[])] };
};

const edit: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputForum(caller, params);
  const { title, icon_emoji_id: iconEmojiId, closed, hidden } = params;
  const change = editTopic(world, chat, me.id, params['topic_id'], { title, iconEmojiId, closed, hidden });
  return answerChange(caller, change);
};

const pin: Method = (params, caller) => {
  const { world, me } = caller;
  const chat = inputForum(caller, params);
  return answerChange(caller, pinTopic(world, chat, me.id, params['topic_id'], params['pinned'] === true));
};

const deleteHistory: Method = (params, caller) => {
  const { world, me, call } = caller;
  const chat = inputForum(caller, params);
  const rows = deleteTopic(world, chat, me.id, params['top_msg_id']);
  pushUpdates(world, rows, call.sessionId);
  const { pts, pts_count } = tlAffectedMessages(world, peerKey(channelPeer(chat.id)), rows);
  return { _: 'messages.affectedHistory', pts, pts_count, offset: 0 };
};

/** Later layers have moved the methods from `channels` to `messages`. */
const inBoth = (name: string, method: Method): Record<string, Method> => ({
  [`channels.${name}`]: method,
  [`messages.${name}`]: method,
});

export const editTopicMethods: Record<string, Method> = {
  'channels.toggleForum': toggle,
  ...inBoth('createForumTopic', create),
  ...inBoth('editForumTopic', edit),
  ...inBoth('updatePinnedForumTopic', pin),
  ...inBoth('deleteTopicHistory', deleteHistory),
};
