import { RpcError, type TlObject } from '../../rpc.ts';
import { boxOf, channelPeer, type PeerKey, peerKey, userPeer } from '../../world/state/peer.ts';
import type { MessageRow } from '../../world/state/rows.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlMessage } from '../objects/tl-message.ts';

/** Telegram answers with up to 100 messages. */
const maxMessages = 100;

interface HistoryOffsets {
  limit: number;
  offsetId?: number | undefined;
  offsetDate?: number | undefined;
  addOffset?: number | undefined;
  minId?: number | undefined;
  maxId?: number | undefined;
}

/**
 * A page of message IDs, newest first: https://core.telegram.org/api/offsets. `addOffset` moves the page towards older
 * messages; if it is negative, towards newer ones.
 */
function pageOf(rising: readonly number[], offsets: HistoryOffsets, dateOf: (id: number) => number): number[] {
  const { limit, offsetId, offsetDate, addOffset = 0, minId, maxId } = offsets;
  const falling = rising.filter((id) => (!maxId || id < maxId) && (!minId || id > minId)).toReversed();
  let first = 0;
  if (offsetId) first = countWhile(falling, (id) => id >= offsetId);
  else if (offsetDate) first = countWhile(falling, (id) => dateOf(id) >= offsetDate);
  const start = first + addOffset;
  return falling.slice(Math.max(0, start), Math.max(0, start + Math.min(limit, maxMessages)));
}

function countWhile(list: readonly number[], holds: (id: number) => boolean): number {
  const index = list.findIndex((id) => !holds(id));
  return index < 0 ? list.length : index;
}

const getHistory: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const all = world.tables.history(box, peerKey(peer));
  const offsets: HistoryOffsets = {
    limit: params['limit'],
    offsetId: params['offset_id'],
    offsetDate: params['offset_date'],
    addOffset: params['add_offset'],
    minId: params['min_id'],
    maxId: params['max_id'],
  };
  const ids = pageOf(all, offsets, (id) => world.tables.message(box, id)?.date ?? 0);
  const rows = ids.flatMap((id) => world.tables.message(box, id) ?? []);
  return tlMessages(caller, box, rows, all.length);
};

/** Searches texts in one chat: the filters for other criteria are not supported. */
const search: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const wanted = (params['q'] as string).toLowerCase();
  const all = world.tables.history(box, peerKey(peer)).filter((id) => {
    const row = world.tables.message(box, id);
    return (
      row !== undefined && row.text.toLowerCase().includes(wanted) && matchesFilter(row, params['filter'] as TlObject)
    );
  });
  const offsets = { limit: params['limit'], offsetId: params['offset_id'], addOffset: params['add_offset'] };
  const ids = pageOf(all, offsets, () => 0);
  return tlMessages(
    caller,
    box,
    ids.flatMap((id) => world.tables.message(box, id) ?? []),
    all.length,
  );
};

function matchesFilter(row: MessageRow, filter: TlObject): boolean {
  if (filter._ === 'inputMessagesFilterEmpty') return true;
  if (filter._ === 'inputMessagesFilterPinned') return row.pinned ?? false;
  if (filter._ === 'inputMessagesFilterPhotos') return row.media?.kind === 'photo';
  if (filter._ === 'inputMessagesFilterDocument') return row.media?.kind === 'document';
  if (filter._ === 'inputMessagesFilterVideo') return row.media?.kind === 'document' && row.media.video === true;
  if (filter._ === 'inputMessagesFilterChatPhotos') return row.action?._ === 'messageActionChatEditPhoto';
  throw new RpcError(400, 'INPUT_FILTER_INVALID');
}

const getMessages: Method = (params, caller) => {
  const box = peerKey(userPeer(caller.me.id));
  return tlMessagesById(caller, box, params['id'] as TlObject[]);
};

const getChannelMessages: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  return tlMessagesById(caller, peerKey(channelPeer(chat.id)), params['id'] as TlObject[]);
};

/** One message for each input; `messageEmpty` if it does not exist. */
function tlMessagesById(caller: Caller, box: PeerKey, inputs: readonly TlObject[]): TlObject {
  const { world, me } = caller;
  const ids = inputs.map((input) => messageIdOf(caller, box, input));
  const rows = ids.flatMap((id) => (id === undefined ? [] : (world.tables.message(box, id) ?? [])));
  const messages = ids.map((id) => {
    const row = id === undefined ? undefined : world.tables.message(box, id);
    return row ? tlMessage(world, me.id, row) : { _: 'messageEmpty', id: id ?? 0 };
  });
  return { ...tlMessages(caller, box, rows, messages.length), messages };
}

function messageIdOf({ world }: Caller, box: PeerKey, input: TlObject): number | undefined {
  if (input._ === 'inputMessageID') return input['id'] as number;
  if (input._ === 'inputMessageReplyTo') return world.tables.message(box, input['id'] as number)?.replyTo;
  if (input._ === 'inputMessagePinned') return world.tables.chats.get(box)?.pinned;
  return undefined;
}

function tlMessages({ world, me }: Caller, box: PeerKey, rows: readonly MessageRow[], count: number): TlObject {
  const messages = rows.map((row) => tlMessage(world, me.id, row));
  const mentioned = new MentionedPeers(world, me.id).addMessages(rows).lists();
  if (box.startsWith('channel:')) {
    return { _: 'messages.channelMessages', pts: world.tables.box(box).pts, count, messages, topics: [], ...mentioned };
  }
  return rows.length === count
    ? { _: 'messages.messages', messages, topics: [], ...mentioned }
    : { _: 'messages.messagesSlice', count, messages, topics: [], ...mentioned };
}

export const historyMethods: Record<string, Method> = {
  'messages.getHistory': getHistory,
  'messages.search': search,
  'messages.getMessages': getMessages,
  'channels.getMessages': getChannelMessages,
};
