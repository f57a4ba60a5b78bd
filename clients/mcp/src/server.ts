import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
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
}

const reading =
  'Tools for one Telegram account: list_chats first, then get_messages and search_messages with a chat_id. ';
const writing =
  'send_message, react_to_message and mark_read act in the name of the account, and other people see it: use them for what the ' +
  'user asked for. ';

/** A server with the tools of one account; a new one for each connection or HTTP request. */
export function createTelegramServer({ gateway, version, allowsWrites }: TelegramServerOptions): McpServer {
  const server = new McpServer(
    { name: 'telegram-gateway', title: 'Telegram', version },
    { instructions: `${reading}${allowsWrites ? writing : ''}${untrustedNotice}` },
  );
  addReadTools(server, gateway);
  if (allowsWrites) addWriteTools(server, gateway, { newRequestId: randomUUID });
  return server;
}
