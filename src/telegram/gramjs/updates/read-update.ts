import { Api } from 'telegram/tl/index.js';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { peerId } from '../peers/peers-in-updates.ts';
import type { ChatUpdate } from './chat-update.ts';
import { memberChange, serviceChanges } from './member-update.ts';
import { privateChatUpdate } from './private-chat-update.ts';

/**
 * What happened in the account's chats by an update. Notes to oneself, Telegram's service accounts, and edits that change
 * only reactions or votes are left out.
 * @param ownId the account's own user ID
 */
export function chatUpdates(update: Api.TypeUpdate, ownId: string | undefined): ChatUpdate[] {
  const privately = privateChatUpdate(update, ownId);
  if (privately !== undefined) return [privately];
  return otherUpdates(update, ownId).filter((found) => !isLeftOut(found, ownId));
}

function otherUpdates(update: Api.TypeUpdate, ownId: string | undefined): ChatUpdate[] {
  if (isNew(update) || isEdit(update)) return messageUpdates(update, ownId);
  if (update instanceof Api.UpdateDeleteChannelMessages) {
    const chatId = channelId(update.channelId);
    return [{ type: 'message.deleted', date: undefined, chatId, messageIds: update.messages }];
  }
  if (update instanceof Api.UpdatePinnedMessages || update instanceof Api.UpdatePinnedChannelMessages) {
    const chatId = 'peer' in update ? peerId(update.peer) : channelId(update.channelId);
    const pinned = update.pinned === true;
    return [{ type: 'message.pinned', date: undefined, chatId, messageIds: update.messages, pinned }];
  }
  return (
    readUpdate(update) ??
    storyUpdate(update) ??
    reactionUpdate(update) ??
    pollUpdate(update) ??
    botUpdate(update, ownId) ??
    []
  );
}

function messageUpdates(
  update: Parameters<typeof chatUpdates>[0] & { message: Api.TypeMessage },
  ownId: string | undefined,
): ChatUpdate[] {
  const { message } = update;
  if (message instanceof Api.MessageService) return isNew(update) ? serviceChanges(message, ownId) : [];
  if (!(message instanceof Api.Message) || message.peerId instanceof Api.PeerUser) return [];
  const chatId = peerId(message.peerId);
  if (isNew(update)) return [{ type: 'message', date: message.date, chatId, message }];
  if (!message.editDate || message.editHide) return [];
  return [{ type: 'message.edited', date: message.editDate, chatId, message }];
}

function readUpdate(update: Api.TypeUpdate): ChatUpdate[] | undefined {
  const type = 'chat.read';
  if (update instanceof Api.UpdateReadHistoryInbox || update instanceof Api.UpdateReadHistoryOutbox) {
    if (!(update.peer instanceof Api.PeerChat)) return undefined;
    const fromMe = update instanceof Api.UpdateReadHistoryInbox;
    return [{ type, date: undefined, chatId: peerId(update.peer), upTo: update.maxId, fromMe }];
  }
  if (update instanceof Api.UpdateReadChannelInbox || update instanceof Api.UpdateReadChannelOutbox) {
    const fromMe = update instanceof Api.UpdateReadChannelInbox;
    return [{ type, date: undefined, chatId: channelId(update.channelId), upTo: update.maxId, fromMe }];
  }
  return undefined;
}

function reactionUpdate(update: Api.TypeUpdate): ChatUpdate[] | undefined {
  const type = 'message.reaction';
  if (update instanceof Api.UpdateMessageReactions) {
    const { peer, msgId, reactions } = update;
    const last = lastReaction(reactions.recentReactions ?? []);
    const counts = countsOf(reactions.results);
    const about = { date: undefined, chatId: peerId(peer), messageId: msgId };
    return [{ type, ...about, counts, emojis: [], ...(last && { last }) }];
  }
  if (update instanceof Api.UpdateBotMessageReactions) {
    const about = { date: update.date, chatId: peerId(update.peer), messageId: update.msgId };
    return [{ type, ...about, counts: countsOf(update.reactions), emojis: [] }];
  }
  if (update instanceof Api.UpdateBotMessageReaction) {
    const about = { date: update.date, chatId: peerId(update.peer), messageId: update.msgId };
    return [{ type, ...about, counts: {}, userId: peerId(update.actor), emojis: update.newReactions.map(emojiOf) }];
  }
  return undefined;
}

/** A new story. An edited one comes again, and one that was taken down as deleted. */
function storyUpdate(update: Api.TypeUpdate): ChatUpdate[] | undefined {
  if (!(update instanceof Api.UpdateStory) || !(update.story instanceof Api.StoryItem) || update.story.edited) {
    return undefined;
  }
  const { peer, story } = update;
  return [{ type: 'story', date: story.date, chatId: peerId(peer), story }];
}

/** Who has reacted last, with all of their reactions that the message names. */
function lastReaction(
  recent: readonly Api.MessagePeerReaction[],
): { userId: string; date: number; emojis: string[] } | undefined {
  const [newest] = recent.toSorted((one, other) => other.date - one.date);
  if (newest === undefined) return undefined;
  const userId = peerId(newest.peerId);
  const own = recent.filter((reaction) => peerId(reaction.peerId) === userId);
  return { userId, date: newest.date, emojis: own.map(({ reaction }) => emojiOf(reaction)) };
}

function countsOf(results: readonly Api.ReactionCount[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reaction, count } of results) {
    const emoji = emojiOf(reaction);
    counts[emoji] = (counts[emoji] ?? 0) + count;
  }
  return counts;
}

function pollUpdate(update: Api.TypeUpdate): ChatUpdate[] | undefined {
  const type = 'message.vote';
  if (update instanceof Api.UpdateMessagePoll) {
    const { pollId, poll, results } = update;
    const texts = new Map((poll?.answers ?? []).map(({ option, text }) => [base64(option), text.text]));
    const votes = (results.results ?? []).map(({ option, voters }) => {
      const key = base64(option);
      return { text: texts.get(key) ?? '', option: key, voters };
    });
    return [{ type, date: undefined, pollId: pollId.toString(), results: votes }];
  }
  if (update instanceof Api.UpdateMessagePollVote) {
    const { pollId, peer, options } = update;
    const vote = { userId: peerId(peer), options: options.map(base64) };
    return [{ type, date: undefined, pollId: pollId.toString(), results: [], ...vote }];
  }
  return undefined;
}

function botUpdate(update: Api.TypeUpdate, ownId: string | undefined): ChatUpdate[] | undefined {
  if (update instanceof Api.UpdateBotCallbackQuery) {
    const { peer, msgId, userId, data, queryId } = update;
    const about = { date: undefined, chatId: peerId(peer), messageId: msgId, userId: userId.toString() };
    return [{ type: 'message.button', ...about, data: data ? base64(data) : '', queryId: queryId.toString() }];
  }
  return memberChange(update, ownId);
}

function isLeftOut(found: ChatUpdate, ownId: string | undefined): boolean {
  const { chatId } = found as { chatId?: string };
  return chatId !== undefined && (chatId === ownId || serviceAccounts.has(chatId));
}

type NewMessage = Api.UpdateNewMessage | Api.UpdateNewChannelMessage;
type EditedMessage = Api.UpdateEditMessage | Api.UpdateEditChannelMessage;
const isNew = (update: Api.TypeUpdate): update is NewMessage =>
  update instanceof Api.UpdateNewMessage || update instanceof Api.UpdateNewChannelMessage;
const isEdit = (update: Api.TypeUpdate): update is EditedMessage =>
  update instanceof Api.UpdateEditMessage || update instanceof Api.UpdateEditChannelMessage;

const channelId = (id: { toString(): string }): string => `-100${id.toString()}`;
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const emojiOf = (reaction: Api.TypeReaction): string =>
  reaction instanceof Api.ReactionEmoji ? reaction.emoticon : '';
