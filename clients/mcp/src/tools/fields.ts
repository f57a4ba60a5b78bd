import { z } from 'zod';
import type { Gateway } from '../gateway.ts';
import type { GatewayChat } from '../shapes.ts';

/** Fields that several tools take. */

export const chatId = z
  .string()
  .regex(/^-?[1-9]\d{0,18}$/, 'must be a chat_id of list_chats')
  .describe('The chat_id of a chat, as list_chats has it: 1002, -2001 or -1003001.');
export const messageId = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a message_id of this chat')
  .describe('The message_id of a message of this chat.');
export const topic = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be the ID of a topic')
  .optional()
  .describe('In a forum: the ID of one topic.');
export const page = z
  .string()
  .max(256)
  .optional()
  .describe('The next_page of the previous answer; the first if left out.');

/** How many of a list an answer holds, if the call does not say. */
const defaultLimit = 20;
export const limit = z.number().int().min(1).max(100).default(defaultLimit).describe('How many, 1 to 100.');

export const notice = z.string();
export const nextPage = z.string().describe('For the argument page; empty on the last page.');

/** The field of a request that names a chat by its ID. Supergroups and channels have IDs of one form: the gateway is asked. */
export async function recipientOf(gateway: Gateway, id: string, signal: AbortSignal): Promise<Record<string, string>> {
  if (!id.startsWith('-')) return { user: id };
  if (!id.startsWith('-100')) return { group: id };
  const { kind } = await gateway.request<Pick<GatewayChat, 'kind'>>({ method: 'GET', path: `/chat/${id}`, signal });
  return kind === 'channel' ? { channel: id } : { group: id };
}
