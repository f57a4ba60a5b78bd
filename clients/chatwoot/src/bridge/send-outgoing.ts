import { Problem } from '../problem.ts';
import type { OutgoingRow } from '../store/store.ts';
import { problemFrom } from './attempts.ts';
import { catchUpConversation } from './catch-up.ts';
import type { BridgeDeps } from './deliver-incoming.ts';
import type { LaneStep } from './lanes.ts';
import { bodyOf, partsOf } from './message-parts.ts';

/** The gateway keeps a key for 24 hours: an older message could be sent twice, and is of no use to the customer. */
const giveUpMs = 20 * 3_600_000;

/** Sends the next message of a conversation's agents to Telegram, or tells them why it cannot be sent. */
export async function sendOutgoing(deps: BridgeDeps, conversationId: number): Promise<LaneStep> {
  const { store, attempts, log } = deps;
  const row = store.nextOutgoing(conversationId);
  const conversation = store.conversation(conversationId);
  if (row === undefined || conversation === undefined) return 'empty';
  const { id } = row.message;
  const { chatId, cursor } = conversation;
  const lane = `to ${chatId}`;
  try {
    if (id > cursor) {
      // The webhook of an earlier message may be late or lost: that message goes first.
      await catchUpConversation(deps, { id: conversationId, chatId });
      if (store.nextOutgoing(conversationId)?.message.id !== id) return 'next';
    }
    if (row.refusal === undefined) await send(deps, row, chatId);
    await report(deps, row);
    store.finishOutgoing(id);
    attempts.succeeded(lane);
  } catch (error) {
    const problem = problemFrom(error);
    const isLate = Date.now() - row.receivedAt > giveUpMs;
    if (problem.isRetryable && !isLate) return attempts.failed(lane, problem);
    if (row.refusal === undefined) {
      log('error', 'a message cannot be sent', { message: id, reason: problem.message, code: problem.code });
      store.refuseOutgoing(id, isLate ? `not sent for 20 hours: ${problem.message}` : problem.message);
    } else {
      log('error', 'Chatwoot does not take what became of a message', { message: id, reason: problem.message });
      store.finishOutgoing(id);
    }
  }
  return 'next';
}

async function send({ config, store, chatwoot, gateway }: BridgeDeps, row: OutgoingRow, chatId: string): Promise<void> {
  const { message, sentParts } = row;
  const parts = partsOf(message);
  if (parts.length === 0) throw new Problem('the message is empty', { isRetryable: false });
  const answered = message.content_attributes?.in_reply_to;
  const replyTo = answered === undefined || answered === null ? undefined : store.telegramIdOf(chatId, answered);
  for (const [index, part] of parts.entries()) {
    if (index < sentParts) continue;
    const body = {
      user: chatId,
      ...(await bodyOf(chatwoot, part)),
      ...(index === 0 && replyTo !== undefined ? { replyTo } : {}),
    };
    const telegramId = await gateway.send(body, `chatwoot-${config.accountId}-${message.id}-${index}`);
    store.finishPart(message.id, { sentParts: index + 1, chatId, telegramId });
  }
}

/** Versions of Chatwoot that keep no status for it are told of a failure in a note; that all is well goes without saying. */
async function report({ chatwoot }: BridgeDeps, { conversationId, message, refusal }: OutgoingRow): Promise<void> {
  try {
    await chatwoot.setStatus(conversationId, message.id, refusal === undefined ? 'delivered' : 'failed', refusal);
  } catch (error) {
    const problem = problemFrom(error);
    if (refusal === undefined) return;
    if (problem.isRetryable && problem.status !== 403) throw problem;
    await chatwoot.post(conversationId, {
      content: `Not sent to Telegram: ${refusal}`,
      isOutgoing: true,
      isPrivate: true,
      sourceId: `telegram:failure:${message.id}`,
      inReplyTo: message.id,
      file: undefined,
    });
  }
}
