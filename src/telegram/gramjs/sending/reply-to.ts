import { Api } from 'telegram/tl/index.js';
import { generalTopic } from '../../port/topics.ts';

/** What a send answers, and in which topic of a forum. The topic General is not named, as Telegram wants it. */
export function replyField({ replyTo, topic }: { replyTo?: number | undefined; topic?: number | undefined }): {
  replyTo?: Api.InputReplyToMessage;
} {
  const topMsgId = topMessageOf(topic);
  const replyToMsgId = replyTo ?? topMsgId;
  if (replyToMsgId === undefined) return {};
  return { replyTo: new Api.InputReplyToMessage({ replyToMsgId, ...(topMsgId !== undefined && { topMsgId }) }) };
}

/** The message that names a topic in a request; undefined for General. */
export const topMessageOf = (topic: number | undefined): number | undefined =>
  topic === generalTopic ? undefined : topic;
