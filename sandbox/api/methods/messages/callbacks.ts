import { RpcError, type TlObject } from '../../../rpc.ts';
import type { CallbackAnswer } from '../../../world/bots/callback-queries.ts';
import { helperAnswers, helperBotId } from '../../../world/bots/helper-bot.ts';
import { requireMessage } from '../../../world/reactions/give-reaction.ts';
import type { MessageRow } from '../../../world/state/message-rows.ts';
import { peerKey, userPeer } from '../../../world/state/peer.ts';
import { buttonsOf } from '../../input/input-markup.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';

/** `messages.setBotCallbackAnswer` takes as many characters. */
const maxAnswerLength = 200;

/** Presses a button: the answer is the bot's. @throws {RpcError} 400 BOT_RESPONSE_TIMEOUT, DATA_INVALID, … */
const getBotCallbackAnswer: Method = async (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const message = requireMessage(world, me.id, peer, params['msg_id'] as number);
  const data = params['data'] as Buffer | undefined;
  const isButton = data && buttonsOf(message.markup).some((button) => button['data']?.equals(data));
  const bot = message.from === undefined ? undefined : world.tables.users.get(message.from);
  if (!isButton || !bot?.bot) throw new RpcError(400, 'DATA_INVALID');
  const answer = scriptedAnswer(caller, bot.id, data) ?? (await askBot(caller, bot.id, message, data));
  if (!answer) throw new RpcError(400, 'BOT_RESPONSE_TIMEOUT');
  return {
    _: 'messages.botCallbackAnswer',
    alert: answer.alert ?? false,
    has_url: answer.url !== undefined,
    native_ui: true,
    message: answer.message,
    url: answer.url,
    cache_time: answer.cacheTime ?? 0,
  };
};

function scriptedAnswer({ world }: Caller, bot: number, data: Buffer): CallbackAnswer | undefined {
  const isScripted = bot === helperBotId && world.tables.activeLogins(bot).length === 0;
  return isScripted ? helperAnswers[data.toString()] : undefined;
}

function askBot({ world, me }: Caller, bot: number, message: MessageRow, data: Buffer) {
  const { id, answer } = world.callbackQueries.ask(bot);
  const isPrivate = message.peer.kind === 'user';
  const peer = isPrivate ? userPeer(me.id) : message.peer;
  const theirs = world.tables.copiesOf(message.twin).get(peerKey(userPeer(bot))) ?? message.id;
  const update = {
    _: 'updateBotCallbackQuery',
    query_id: id,
    user_id: BigInt(me.id),
    peer: tlPeer(peer),
    msg_id: theirs,
    chat_instance: world.derive('chat instance', bot, peerKey(peer)).readBigInt64LE(),
    data,
  };
  const mentioned = new MentionedPeers(world, bot).add(userPeer(me.id), peer);
  world.push(bot, tlUpdates(world, [update], mentioned.lists()));
  return answer;
}

/** @throws {RpcError} 400 USER_BOT_REQUIRED, QUERY_ID_INVALID, MESSAGE_TOO_LONG, URL_INVALID */
const setBotCallbackAnswer: Method = (params, { world, me }) => {
  if (!me.bot) throw new RpcError(400, 'USER_BOT_REQUIRED');
  const message = params['message'] as string | undefined;
  const url = params['url'] as string | undefined;
  if (message && message.length > maxAnswerLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  if (url !== undefined && !URL.canParse(url)) throw new RpcError(400, 'URL_INVALID');
  const answer = { message, url, alert: params['alert'] === true, cacheTime: params['cache_time'] as number };
  if (!world.callbackQueries.answer(me.id, params['query_id'] as bigint, answer)) {
    throw new RpcError(400, 'QUERY_ID_INVALID');
  }
  return true;
};

export const callbackMethods: Record<string, Method> = {
  'messages.getBotCallbackAnswer': getBotCallbackAnswer,
  'messages.setBotCallbackAnswer': setBotCallbackAnswer,
};
