import { Api } from 'telegram/tl/index.js';

/** The IDs of the messages that an answer says were sent. */
export function messageIdsOf(answer: unknown): number[] {
  if (answer instanceof Api.UpdateShortSentMessage) return [answer.id];
  if (!(answer instanceof Api.Updates)) return [];
  return answer.updates.flatMap((update) => (update instanceof Api.UpdateMessageID ? [update.id] : []));
}

/** The channel or supergroup that an answer brings. */
export function channelOf(answer: unknown): Api.InputChannel | undefined {
  const chats = answer instanceof Api.Updates ? answer.chats : [];
  for (const chat of chats) {
    if (chat instanceof Api.Channel && chat.accessHash !== undefined) {
      return new Api.InputChannel({ channelId: chat.id, accessHash: chat.accessHash });
    }
  }
  return undefined;
}
