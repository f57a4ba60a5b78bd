import { getChat, listChats, listChatsOfKey } from '../../chats/chat-list.ts';
import { getMessage, listMessages, searchAllMessages, searchMessages } from '../../chats/chat-messages.ts';
import type { ChatService } from '../../chats/chat-service.ts';
import type { LinkTo } from '../../chats/message-content.ts';
import { listTopics } from '../../chats/topics.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { GroupParams } from '../group/schemas.ts';
import { maxMessageId } from '../message/schemas.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import {
  ChatMessagesQuery,
  ChatParams,
  ChatsQuery,
  MessageParams,
  MessageQuery,
  SearchQuery,
  TopicsQuery,
} from './schemas.ts';

type Deps = ChatServiceDeps & Pick<AppDeps, 'mediaLinks'>;

const defaultLimit = 50;

/** All chats of the account and their messages (CT1, CT2), inside the authentication of a connected session. */
export function chatRoutes(app: App, deps: Deps): void {
  const linksOf = (sessionId: string, { account }: ChatService): LinkTo => {
    return (ref, ext) => deps.mediaLinks.link(sessionId, account.id, ref, ext);
  };

  app.get('/chat', { schema: { querystring: ChatsQuery } }, ({ view, caller, query }) => {
    const { archived = 'false', after = '', limit } = query;
    const chats = chatServiceOf({ view, caller }, deps);
    const page = { archived: archived === 'true', after, limit: lengthOf(limit) };
    const links = linksOf(view.id, chats);
    const { chats: own } = caller.powers;
    return own === undefined ? listChats(chats, page, links) : listChatsOfKey(chats, own, page, links);
  });

  app.get('/chat/message', { schema: { querystring: ChatMessagesQuery } }, ({ view, caller, query }) => {
    const { chatId, topic, before, limit } = query;
    const chats = chatServiceOf({ view, caller }, deps);
    const request = { chatId, topic: topicOf(topic), before: placeOf(before), limit: lengthOf(limit) };
    return listMessages(chats, request, linksOf(view.id, chats));
  });

  app.get(
    '/chat/message/:messageId',
    { schema: { params: MessageParams, querystring: MessageQuery } },
    ({ view, caller, params, query }) => {
      const chats = chatServiceOf({ view, caller }, deps);
      const request = { chatId: query.chatId, messageId: placeOf(params.messageId) };
      return getMessage(chats, request, linksOf(view.id, chats));
    },
  );

  app.get('/chat/search', { schema: { querystring: SearchQuery } }, ({ view, caller, query }) => {
    const { chatId, topic, q, before = '', limit } = query;
    const chats = chatServiceOf({ view, caller }, deps);
    const links = linksOf(view.id, chats);
    const page = { words: q, limit: lengthOf(limit) };
    if (!chatId && caller.powers.chats !== undefined)
      throw new GatewayError(403, 'a key with chats has to name a chatId');
    if (!chatId) return searchAllMessages(chats, { ...page, before }, links);
    if (!/^\d*$/.test(before)) throw new GatewayError(400, 'before must be a number');
    return searchMessages(chats, { ...page, chatId, topic: topicOf(topic), before: placeOf(before) }, links);
  });

  app.get(
    '/group/:groupId/topic',
    { schema: { params: GroupParams, querystring: TopicsQuery } },
    ({ view, caller, params, query }) => {
      const { after = '', limit } = query;
      const chats = chatServiceOf({ view, caller }, deps);
      return listTopics(chats, params.groupId, { after, limit: lengthOf(limit) }, linksOf(view.id, chats));
    },
  );

  app.get('/chat/:chatId', { schema: { params: ChatParams } }, ({ view, caller, params }) => {
    const chats = chatServiceOf({ view, caller }, deps);
    return getChat(chats, params.chatId, linksOf(view.id, chats));
  });
}

const topicOf = (topic: string | undefined): number | undefined => (topic ? Number(topic) : undefined);
const lengthOf = (limit: string | undefined): number => Number(limit ?? defaultLimit);
/** Empty: the newest. No message has a higher ID than the highest. */
const placeOf = (id: string | undefined): number => Math.min(Number(id ?? ''), maxMessageId);
