import type { TlObject } from '../../../rpc.ts';
import type { MessageRow } from '../../../world/state/message-rows.ts';
import type { PeerKey } from '../../../world/state/peer.ts';
import type { Caller } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlMessage } from '../../objects/tl-message.ts';

/** Telegram answers with up to 100 messages. */
export const maxMessages = 100;

interface HistoryOffsets {
  limit: number;
  offsetId?: number | undefined;
  offsetDate?: number | undefined;
  addOffset?: number | undefined;
  minId?: number | undefined;
  maxId?: number | undefined;
}

/** The offsets of a method that pages through one chat. */
export const historyOffsets = (params: TlObject): HistoryOffsets => ({
  limit: params['limit'],
  offsetId: params['offset_id'],
  offsetDate: params['offset_date'],
  addOffset: params['add_offset'],
  minId: params['min_id'],
  maxId: params['max_id'],
});

/**
 * A page of message IDs, newest first: https://core.telegram.org/api/offsets. `addOffset` moves the page towards older
 * messages; if it is negative, towards newer ones.
 */
export function pageOf(
  rising: readonly number[],
  offsets: HistoryOffsets,
  dateOf: (id: number) => number = () => 0,
): number[] {
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

/** Messages of one box as an answer; `count` says how many there are in all. */
export function tlMessages({ world, me }: Caller, box: PeerKey, rows: readonly MessageRow[], count: number): TlObject {
  const messages = rows.map((row) => tlMessage(world, me.id, row));
  const mentioned = new MentionedPeers(world, me.id).addMessages(rows).lists();
  if (box.startsWith('channel:')) {
    return { _: 'messages.channelMessages', pts: world.tables.box(box).pts, count, messages, topics: [], ...mentioned };
  }
  return rows.length === count
    ? { _: 'messages.messages', messages, topics: [], ...mentioned }
    : { _: 'messages.messagesSlice', count, messages, topics: [], ...mentioned };
}
