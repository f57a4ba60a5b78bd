import type { AccountUpdate, ChatUser } from '../../telegram/port/updates.ts';
import {
  type DeliveryContent,
  type DeliveryFact,
  type DroppedUpdate,
  deliveredTypes,
} from '../stream/delivery-events.ts';

/** A delivery event in the clear, before it has a number. */
export interface DeliveryDraft {
  type: Exclude<DeliveryFact, 'RecordingStarted' | 'UpdateDropped'>;
  content: DeliveryContent[DeliveryDraft['type']];
  messageIds?: number[];
  /** Of its update. */
  when?: Pick<AccountUpdate, 'at' | 'missed'>;
  /** Keys of the places that want it; of a silent fact, of those that it is not from before. */
  wantedBy?: ReadonlySet<string>;
}

/** An update that cannot be recorded. */
export interface DroppedDraft {
  type: 'UpdateDropped';
  dropped: DroppedUpdate;
}

/** The type of the update that each fact records. */
export const updateTypes = {
  ...deliveredTypes,
  MessageSent: 'message.sent',
  MessageSeen: 'message',
} as const satisfies Record<DeliveryDraft['type'], AccountUpdate['type']>;

/** The other side of the private chat that each message is in; messages of unknown chats are left out. */
export type FindChats = (messageIds: readonly number[]) => Promise<ReadonlyMap<number, ChatUser>>;

/** A draft for each update, in their order: none or several for a deletion. */
export async function draftDeliveries(
  updates: readonly AccountUpdate[],
  findChats: FindChats,
): Promise<(DeliveryDraft | DroppedDraft)[]> {
  const drafts: (DeliveryDraft | DroppedDraft)[] = [];
  for (const update of updates) {
    try {
      drafts.push(...(await draftUpdate(update, drafts, findChats)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      drafts.push({ type: 'UpdateDropped', dropped: { update: update.type, reason: 'not-serializable' } });
    }
  }
  return drafts;
}

/** Whether the update itself is the reason: JSON has no form for it, or it is too large for the store. */
export const isRefusal = (error: unknown): boolean => error instanceof TypeError || error instanceof RangeError;

/** A deletion becomes one draft for each chat that it is about. Messages of unknown chats are left out. */
async function draftUpdate(
  update: AccountUpdate,
  before: readonly (DeliveryDraft | DroppedDraft)[],
  findChats: FindChats,
): Promise<DeliveryDraft[]> {
  const drafts =
    update.type === 'message.deleted' ? await draftDeletions(update.messageIds, before, findChats) : [draft(update)];
  const { account, at, missed } = update;
  for (const one of drafts) one.when = { at, missed };
  if (account !== undefined) for (const { content } of drafts) content.account = account;
  return drafts;
}

function draft(update: Exclude<AccountUpdate, { type: 'message.deleted' }>): DeliveryDraft {
  const { user } = update;
  switch (update.type) {
    case 'message':
    case 'message.edited': {
      const { message } = update;
      const type = update.type === 'message' ? 'MessageReceived' : 'MessageEdited';
      return { type, content: { user, message }, messageIds: [message.id] };
    }
    case 'message.sent':
      return { type: 'MessageSent', content: { user }, messageIds: [update.messageId] };
    case 'message.read':
      return { type: 'MessagesRead', content: { user, upTo: update.upTo, fromMe: update.fromMe } };
  }
}

/** @param before drafts that are recorded together with it, and so are not in the stream yet */
async function draftDeletions(
  messageIds: readonly number[],
  before: readonly (DeliveryDraft | DroppedDraft)[],
  findChats: FindChats,
): Promise<DeliveryDraft[]> {
  const users = new Map<number, ChatUser>();
  for (const drafted of before) {
    if (drafted.type === 'UpdateDropped') continue;
    for (const id of drafted.messageIds ?? []) users.set(id, drafted.content.user);
  }
  const unknown = messageIds.filter((id) => !users.has(id));
  // Stryker disable next-line ConditionalExpression,EqualityOperator: a short cut; of no messages none are found
  if (unknown.length > 0) for (const [id, user] of await findChats(unknown)) users.set(id, user);

  const byChat = new Map<string, { user: ChatUser; ids: number[] }>();
  for (const id of messageIds) {
    const user = users.get(id);
    if (user === undefined) continue;
    const chat = byChat.get(user.id) ?? { user, ids: [] };
    chat.ids.push(id);
    byChat.set(user.id, chat);
  }
  return [...byChat.values()].map(({ user, ids }) => ({
    type: 'MessagesDeleted',
    content: { user, messageIds: ids },
    messageIds: ids,
  }));
}
