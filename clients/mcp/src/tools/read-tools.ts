import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ChatBound } from '../chat-bound.ts';
import type { Gateway } from '../gateway.ts';
import { ChatShape, chatShape, type GatewayChat, type GatewayMessage, MessageShape, messageShape } from '../shapes.ts';
import { chatId, limit, nextPage, notice, page, topic } from './fields.ts';
import { dataResult, withAdvice } from './results.ts';

/** They change nothing, and no other person notices. What they tell comes from anyone on Telegram. */
const reading = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true };

const MessagePage = z.strictObject({ notice, messages: z.array(MessageShape), next_page: nextPage });

interface GatewayMessages {
  docs: GatewayMessage[];
  before: string;
}

const messagePage = ({ docs, before }: GatewayMessages, bound: ChatBound) =>
  dataResult({
    messages: docs.filter(({ chatId: chat }) => bound.admits(chat)).map(messageShape),
    next_page: before,
  });

export function addReadTools(server: McpServer, gateway: Gateway, bound: ChatBound): void {
  server.registerTool(
    'list_chats',
    {
      title: 'List chats',
      description:
        'Lists the private chats, groups and channels of the Telegram account, newest first, pinned ones at the top, each with ' +
        'its newest message. Start here: the other tools take the chat_id of a chat.',
      inputSchema: z.strictObject({
        archived: z.boolean().default(false).describe('True: the chats of the archive, else those outside of it.'),
        page,
        limit,
      }),
      outputSchema: z.strictObject({ notice, chats: z.array(ChatShape), next_page: nextPage }),
      annotations: reading,
    },
    ({ archived, page: after, limit: length }, { mcpReq: { signal } }) =>
      withAdvice(async () => {
        const chats = await gateway.request<{ docs: GatewayChat[]; after: string }>({
          method: 'GET',
          path: '/chat',
          query: { archived: String(archived), after, limit: length },
          signal,
        });
        return dataResult({
          chats: chats.docs.filter(({ id }) => bound.admits(id)).map(chatShape),
          next_page: chats.after,
        });
      }),
  );

  server.registerTool(
    'get_messages',
    {
      title: 'Read messages',
      description:
        'Reads the messages of one chat, newest first. They stay unread: mark_read marks them, where this server has it.',
      inputSchema: z.strictObject({ chat_id: chatId, topic, page, limit }),
      outputSchema: MessagePage,
      annotations: reading,
    },
    ({ chat_id: chat, topic: inTopic, page: before, limit: length }, { mcpReq: { signal } }) =>
      withAdvice(async () => {
        bound.require(chat);
        const query = { chatId: chat, topic: inTopic, before, limit: length };
        return messagePage(await gateway.request({ method: 'GET', path: '/chat/message', query, signal }), bound);
      }),
  );

  server.registerTool(
    'search_messages',
    {
      title: 'Search messages',
      description:
        'Finds messages by their words, newest first, in one chat or in all chats. Telegram matches the beginnings of words.',
      inputSchema: z.strictObject({
        words: z.string().trim().min(1).max(256).describe('What the messages have to contain.'),
        chat_id: chatId.optional().describe('Searches this chat alone; all chats if left out.'),
        page,
        limit,
      }),
      outputSchema: MessagePage,
      annotations: reading,
    },
    ({ words, chat_id: chat, page: before, limit: length }, { mcpReq: { signal } }) =>
      withAdvice(async () => {
        if (chat !== undefined) bound.require(chat);
        const query = { q: words, chatId: chat, before, limit: length };
        return messagePage(await gateway.request({ method: 'GET', path: '/chat/search', query, signal }), bound);
      }),
  );
}
