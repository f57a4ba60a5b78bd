import type { AccountUpdate, ChatUser, UpdateChat } from '../../telegram/port/updates.ts';
import {
  type DeliveryContent,
  type DeliveryFact,
  type DroppedUpdate,
  type OwnFact,
  updateFactTypes,
} from '../stream/delivery-events.ts';

/** A delivery event in the clear, before it has a number. */
export interface DeliveryDraft {
  type: Exclude<DeliveryFact, 'RecordingStarted' | 'UpdateDropped' | OwnFact>;
  content: DeliveryContent[DeliveryDraft['type']];
  messageIds?: number[];
  /** Of its update. */
  when?: Pick<AccountUpdate, 'at' | 'missed'>;
  /** Keys of the places that want it; of a silent fact, of those that it is not from before. */
  wantedBy?: ReadonlySet<string>;
  /** Telegram may say it again: it has no number, and was fetched. */
  mayBeRepeated?: true;
}

/** An update that cannot be recorded. */
export interface DroppedDraft {
  type: 'UpdateDropped';
  dropped: DroppedUpdate;
}

/** The type of the update that each fact records. */
export const updateTypes = {
  ...updateFactTypes,
  MessageSent: 'message.sent',
  MessageSeen: 'message',
} as const satisfies Record<DeliveryDraft['type'], AccountUpdate['type']>;

/** In which chat a message is, and the other side of a private one. */
export interface MessagePlace {
  user: ChatUser;
  chat?: UpdateChat;
}

/** The place of each message; messages of unknown chats are left out. */
export type FindChats = (messageIds: readonly number[]) => Promise<ReadonlyMap<number, MessagePlace>>;

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
  const drafts = update.type === 'message.deleted' ? await draftDeletions(update, before, findChats) : [draft(update)];
  const { account, at, missed } = update;
  for (const one of drafts) one.when = { at, missed };
  if (account !== undefined) for (const { content } of drafts) content.account = account;
  return drafts;
}

function draft(update: Exclude<AccountUpdate, { type: 'message.deleted' }>): DeliveryDraft {
  const { type: _type, account: _account, at: _at, missed, ...rest } = update;
  const repeated = missed ? ({ mayBeRepeated: true } as const) : {};
  switch (update.type) {
    case 'message':
    case 'message.edited': {
      const { user, chat, topic, message } = update;
      const type = update.type === 'message' ? 'MessageReceived' : 'MessageEdited';
      const place = { ...(chat && { chat }), ...(topic !== undefined && { topic }) };
      return { type, content: { user, ...place, message }, messageIds: [message.id] };
    }
    case 'message.sent': {
      const { user, chat } = update;
      return { type: 'MessageSent', content: { user, ...(chat && { chat }) }, messageIds: [update.messageId] };
    }
    default: {
      const content = rest as DeliveryDraft['content'];
      const mayRepeat = ['message.reaction', 'message.vote', 'chat.read'].includes(update.type);
      return { type: factOf[update.type], content, ...(mayRepeat && repeated) };
    }
  }
}

const factOf = {
  'message.read': 'MessagesRead',
  'chat.read': 'ChatRead',
  'message.reaction': 'ReactionsChanged',
  'message.pinned': 'MessagesPinned',
  'message.vote': 'PollVoted',
  'message.button': 'ButtonPressed',
  'chat.joined': 'ChatJoined',
  'chat.left': 'ChatLeft',
  'chat.member': 'MemberChanged',
  story: 'StoryPosted',
} as const;

/** @param before drafts that are recorded together with it, and so are not in the stream yet */
async function draftDeletions(
  { messageIds, chat }: Extract<AccountUpdate, { type: 'message.deleted' }>,
  before: readonly (DeliveryDraft | DroppedDraft)[],
  findChats: FindChats,
): Promise<DeliveryDraft[]> {
  if (chat !== undefined) return [{ type: 'MessagesDeleted', content: { chat, messageIds }, messageIds }];
  const places = new Map<number, MessagePlace>();
  for (const drafted of before) {
    if (drafted.type === 'UpdateDropped' || !('user' in drafted.content) || drafted.content.user === undefined)
      continue;
    const { content } = drafted;
    for (const id of drafted.messageIds ?? []) places.set(id, content as MessagePlace);
  }
  const unknown = messageIds.filter((id) => !places.has(id));
  // Stryker disable next-line ConditionalExpression,EqualityOperator: a short cut; of no messages none are found
  if (unknown.length > 0) for (const [id, place] of await findChats(unknown)) places.set(id, place);

  const byChat = new Map<string, { place: Partial<MessagePlace>; ids: number[] }>();
  for (const id of messageIds) {
    const found = places.get(id);
    if (found === undefined) continue;
    const { user, chat: group } = found;
    const key = group?.id ?? user.id;
    const place = byChat.get(key) ?? { place: group === undefined ? { user } : { chat: group }, ids: [] };
    place.ids.push(id);
    byChat.set(key, place);
  }
  return Array.from(byChat.values(), ({ place, ids }) => ({
    type: 'MessagesDeleted',
    content: { ...place, messageIds: ids },
    messageIds: ids,
  }));
}
