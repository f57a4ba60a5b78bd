import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { boundTo } from './chat-bound.ts';
import type { Gateway } from './gateway.ts';
import { addReadTools } from './tools/read-tools.ts';
import { addWriteTools } from './tools/write-tools.ts';
import { untrustedNotice } from './untrusted.ts';

export interface TelegramServerOptions {
  gateway: Gateway;
  /** Of the gateway's package. */
  version: string;
  /** Offers the tools that send, react and mark as read; else those that read alone. */
  allowsWrites: boolean;
  /** IDs of the only chats that the tools are for; left out: those of the key, or all of the account. */
  chats?: ReadonlySet<string> | undefined;
}

const reading =
  'Tools for one Telegram account: list_chats first, then get_messages and search_messages with a chat_id. ';
const writing =
  'send_message, react_to_message and mark_read act in the name of the account, and other people see it: use them for what the ' +
  'user asked for. ';

/** A server with the tools of one account; a new one for each connection or HTTP request. */
export function createTelegramServer({ gateway, version, allowsWrites, chats }: TelegramServerOptions): McpServer {
  const server = new McpServer(
    { name: 'telegram-gateway', title: 'Telegram', version },
    { instructions: `${reading}${allowsWrites ? writing : ''}${untrustedNotice}` },
  );
  const bound = boundTo(chats);
  addReadTools(server, gateway, bound);
  if (allowsWrites) addWriteTools(server, gateway, { bound, newRequestId: randomUUID });
  return server;
}
