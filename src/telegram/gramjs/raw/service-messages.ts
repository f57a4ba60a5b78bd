import { Api } from 'telegram/tl/index.js';
import { serviceAccounts } from '../../port/service-accounts.ts';
import { answerJson } from './answer-json.ts';

/** Whether answers leave out what a message says: Telegram's own accounts, which send login codes, wrote it. */
export function isOfService(message: Api.TypeMessage): boolean {
  if (message instanceof Api.MessageEmpty) return false;
  return Object(answerJson(message))._ === 'messageEmpty';
}

/**
 * The answer to a search in all chats, or in theirs, without what Telegram's own accounts wrote: a search that
 * finds a code gives it away. The count is that of the messages shown, and an empty page leads to no further one. Any other
 * answer stays as it is.
 */
export function withoutServiceHits(request: object, answer: unknown): unknown {
  const isGlobal =
    request instanceof Api.messages.SearchGlobal ||
    (request instanceof Api.messages.Search && (request.peer instanceof Api.InputPeerEmpty || isService(request.peer)));
  const isFound = answer instanceof Api.messages.Messages || answer instanceof Api.messages.MessagesSlice;
  if (!isGlobal || !isFound) return answer;
  answer.messages = answer.messages.filter((message) => !isOfService(message));
  answer.users = answer.users.filter((user) => !serviceAccounts.has(user.id.toString()));
  if (answer instanceof Api.messages.MessagesSlice) {
    answer.count = answer.messages.length;
    answer.inexact = true;
    if (answer.messages.length === 0) delete answer.nextRate;
  }
  return answer;
}

const isService = (peer: unknown): boolean =>
  (peer instanceof Api.InputPeerUser || peer instanceof Api.InputPeerUserFromMessage) &&
  serviceAccounts.has(peer.userId.toString());
