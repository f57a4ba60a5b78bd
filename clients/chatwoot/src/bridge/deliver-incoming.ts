import type { ChatwootClient, PostedMessage } from '../chatwoot/chatwoot-client.ts';
import type { ChatwootMessage } from '../chatwoot/payloads.ts';
import type { Config } from '../config.ts';
import type { DeletedData, Envelope, MessageData } from '../gateway/envelope.ts';
import type { DownloadedFile, GatewayClient } from '../gateway/gateway-client.ts';
import type { Log } from '../log.ts';
import { Problem } from '../problem.ts';
import type { IncomingRow, Store } from '../store/store.ts';
import { type Attempts, problemFrom } from './attempts.ts';
import { openChat } from './chat-contacts.ts';
import { contentOf, mediaOf } from './describe-message.ts';
import type { LaneStep } from './lanes.ts';

export interface BridgeDeps {
  config: Config;
  store: Store;
  gateway: GatewayClient;
  chatwoot: ChatwootClient;
  attempts: Attempts;
  log: Log;
}

/** Clocks of two machines differ: messages from so long before an attempt may be its result. */
const clockToleranceS = 15 * 60;
const maxPages = 50;

/** Messages of the bridge in Chatwoot carry this as `source_id`: by it they are found again, and never go back to Telegram. */
const sourceIdOf = ({ type, seq, data }: Envelope): string =>
  type === 'message' ? `telegram:${data.chatId}:${(data as MessageData).id}` : `telegram:${data.chatId}:event-${seq}`;

/** Puts the next event of a chat into Chatwoot. */
export async function deliverIncoming(deps: BridgeDeps, chatId: string): Promise<LaneStep> {
  const { store, attempts, log } = deps;
  const row = store.nextIncoming(chatId);
  if (row === undefined) return 'empty';
  const lane = `from ${chatId}`;
  try {
    await deliver(deps, row);
    attempts.succeeded(lane);
  } catch (error) {
    const problem = problemFrom(error);
    // The conversation or the contact was deleted in Chatwoot; or the inbox was, and then all events wait.
    const isGone = !problem.isRetryable && problem.status === 404;
    if (isGone) store.forgetChat(chatId);
    if (problem.isRetryable || isGone) return attempts.failed(lane, problem);
    log('error', 'Chatwoot does not take an event', { seq: row.seq, reason: problem.message });
    store.finishIncoming(row.seq);
  }
  return 'next';
}

async function deliver(deps: BridgeDeps, { seq, event, triedAt }: IncomingRow): Promise<void> {
  const { store, chatwoot } = deps;
  const { chatId } = event.data;
  const isMessage = event.type === 'message';
  const chat = store.chat(chatId) ?? (isMessage ? await openChat(deps, event.data as MessageData) : undefined);
  // A note about a message that Chatwoot does not have says nothing to an agent.
  if (chat === undefined || (!isMessage && noteOf(store, event) === undefined)) return store.finishIncoming(seq);
  const sourceId = sourceIdOf(event);
  const known = triedAt === 0 ? undefined : await findPosted(chatwoot, chat.conversationId, { sourceId, triedAt });
  const posted = known ?? (await post(deps, { seq, event, sourceId, conversationId: chat.conversationId }));
  if (!isMessage) return store.finishIncoming(seq);
  store.finishIncoming(seq, { chatId, telegramId: (event.data as MessageData).id, chatwootId: posted.id });
}

async function post(
  deps: BridgeDeps,
  { seq, event, sourceId, conversationId }: { seq: number; event: Envelope; sourceId: string; conversationId: number },
): Promise<ChatwootMessage> {
  const { store, chatwoot } = deps;
  const message = await messageOf(deps, event, sourceId);
  const postIt = (changes: Partial<PostedMessage> = {}): Promise<ChatwootMessage> => {
    store.markTried(seq, Date.now());
    return chatwoot.post(conversationId, { ...message, ...changes });
  };
  try {
    return await postIt();
  } catch (error) {
    if (message.file === undefined || !(error instanceof Problem) || ![400, 413, 415, 422].includes(error.status))
      throw error;
    // Chatwoot refuses the file: its size or its type. The agent gets what there is.
    return postIt({ file: undefined, content: [message.content, linkOf(event.data as MessageData)].join('\n').trim() });
  }
}

async function messageOf(deps: BridgeDeps, event: Envelope, sourceId: string): Promise<PostedMessage> {
  const { store } = deps;
  if (event.type !== 'message') {
    const { content, inReplyTo } = noteOf(store, event) ?? { content: '', inReplyTo: undefined };
    return { content, isOutgoing: true, isPrivate: true, sourceId, inReplyTo, file: undefined };
  }
  const data = event.data as MessageData;
  const { file, remark } = await fileOf(deps, data);
  return {
    content: [contentOf(data), remark].filter((part) => part !== '').join('\n'),
    isOutgoing: data.fromMe,
    isPrivate: false,
    sourceId,
    inReplyTo: data.replyTo === '' ? undefined : store.chatwootIdOf(data.chatId, data.replyTo),
    file,
  };
}

async function fileOf(
  { gateway, config }: BridgeDeps,
  data: MessageData,
): Promise<{ file: DownloadedFile | undefined; remark: string }> {
  const link = mediaOf(data);
  if (link === undefined) return { file: undefined, remark: '' };
  try {
    const file = await gateway.download(link, config.maxFileBytes);
    return file === 'too large' ? { file: undefined, remark: linkOf(data) } : { file, remark: '' };
  } catch (error) {
    if (error instanceof Problem && error.isRetryable) throw error;
    return { file: undefined, remark: `(${data.type}: the file is no longer there)` };
  }
}

const linkOf = (data: MessageData): string => mediaOf(data)?.url ?? '';

/** A private note of an edit or a deletion, below the message that it is about. */
function noteOf(store: Store, { type, data }: Envelope): { content: string; inReplyTo: number } | undefined {
  const ids = type === 'message.deleted' ? (data as DeletedData).messageIds : [(data as MessageData).id];
  const inReplyTo = ids.map((id) => store.chatwootIdOf(data.chatId, id)).find((id) => id !== undefined);
  if (inReplyTo === undefined) return undefined;
  return {
    inReplyTo,
    content:
      type === 'message.deleted' ? 'Deleted in Telegram.' : `Edited in Telegram: ${contentOf(data as MessageData)}`,
  };
}

/** The message with this `source_id`, if an attempt whose response was lost has left one. */
async function findPosted(
  chatwoot: ChatwootClient,
  conversationId: number,
  { sourceId, triedAt }: { sourceId: string; triedAt: number },
): Promise<ChatwootMessage | undefined> {
  const since = triedAt / 1000 - clockToleranceS;
  let place: { before?: number } = {};
  for (let page = 0; page < maxPages; page += 1) {
    const messages = await chatwoot.messages(conversationId, place);
    const found = messages.find((message) => message.source_id === sourceId);
    const oldest = messages[0];
    if (found !== undefined || oldest === undefined || Number(oldest.created_at) < since) return found;
    place = { before: oldest.id };
  }
  return undefined;
}
