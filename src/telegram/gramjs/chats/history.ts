import { Api } from 'telegram/tl/index.js';

/** Telegram's maximum for one answer. */
const pageSize = 100;

export type Messages = Exclude<Api.messages.TypeMessages, Api.messages.MessagesNotModified>;

/** Fetches up to `limit` messages older than `offsetId`, newest first; 0 means the newest of all. */
export type AskHistory = (offsetId: number, limit: number) => Promise<Messages>;

export interface HistoryRequest {
  answer: Messages;
  /** The lowest ID of the page, service messages included; 0 if there is nothing older. */
  before: number;
}

/** Up to 100 messages older than `before`, service messages included; 0 means the newest. */
export async function historyPage(ask: AskHistory, before: number, limit = pageSize): Promise<HistoryRequest> {
  const answer = await ask(before, limit);
  const lowest = answer.messages.reduce((low, { id }) => Math.min(low, id), Infinity);
  // An answer may hold fewer messages than exist, so a short page proves nothing.
  const hasOlder = saysOlder(answer, before, lowest, limit) ?? (await ask(lowest, 1)).messages.length > 0;
  return { answer, before: hasOlder ? lowest : 0 };
}

/** Whether older messages exist, as far as the answer says so. */
function saysOlder(answer: Messages, before: number, lowest: number, limit: number): boolean | undefined {
  const { length } = answer.messages;
  // Message IDs count from 1.
  if (length === 0 || lowest === 1 || answer instanceof Api.messages.Messages) return false;
  if (before !== 0 || answer.inexact) return undefined;
  if (answer.count <= length) return false;
  return length === limit ? true : undefined;
}
