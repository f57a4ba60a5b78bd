import { RpcError, type TlObject } from '../../rpc.ts';
import { boxOf, channelPeer, type PeerKey, peerKey, userPeer } from '../../world/state/peer.ts';
import type { MessageRow } from '../../world/state/rows.ts';
import { inputChannel, inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlMessage } from '../objects/tl-message.ts';

/** Telegram gives at most 100 messages a call. */
const pageLimit = 100;

interface Page {
  limit: number;
  offsetId?: number | undefined;
  offsetDate?: number | undefined;
  addOffset?: number | undefined;
  minId?: number | undefined;
  maxId?: number | undefined;
}

/**
 * A page of message IDs, newest first: https://core.telegram.org/api/offsets. `addOffset` moves the window away from
 * `offsetId`, towards older messages; a negative one towards newer.
 */
function pageOf(rising: readonly number[], page: Page, dateOf: (id: number) => number): number[] {
  const falling = rising
    .filter((id) => (!page.maxId || id < page.maxId) && (!page.minId || id > page.minId))
    .toReversed();
  let first = 0;
  if (page.offsetId) first = countWhile(falling, (id) => id >= (page.offsetId as number));
  else if (page.offsetDate) first = countWhile(falling, (id) => dateOf(id) >= (page.offsetDate as number));
  const limit = Math.min(page.limit, pageLimit);
  const start = first + (page.addOffset ?? 0);
  return falling.slice(Math.max(0, start), Math.max(0, start + limit));
}

function countWhile(list: readonly number[], holds: (id: number) => boolean): number {
  const place = list.findIndex((id) => !holds(id));
  return place < 0 ? list.length : place;
}

const getHistory: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const all = world.tables.history(box, peerKey(peer));
  const page: Page = {
    limit: params['limit'],
    offsetId: params['offset_id'],
    offsetDate: params['offset_date'],
    addOffset: params['add_offset'],
    minId: params['min_id'],
    maxId: params['max_id'],
  };
  const ids = pageOf(all, page, (id) => world.tables.message(box, id)?.date ?? 0);
  const rows = ids.flatMap((id) => world.tables.message(box, id) ?? []);
  return tlMessages(caller, box, rows, all.length);
};

/** `search` with nothing to search for but words: what a client's search box does. */
const search: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const box = boxOf(me.id, peer);
  const wanted = (params['q'] as string).toLowerCase();
  const all = world.tables.history(box, peerKey(peer)).filter((id) => {
    const row = world.tables.message(box, id);
    return row !== undefined && row.text.toLowerCase().includes(wanted) && fits(row, params['filter'] as TlObject);
  });
  const page = { limit: params['limit'], offsetId: params['offset_id'], addOffset: params['add_offset'] };
  const ids = pageOf(all, page, () => 0);
  return tlMessages(
    caller,
    box,
    ids.flatMap((id) => world.tables.message(box, id) ?? []),
    all.length,
  );
};

function fits(row: MessageRow, filter: TlObject): boolean {
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
  return tlNamed(caller, box, params['id'] as TlObject[]);
};

const getChannelMessages: Method = (params, caller) => {
  const chat = inputChannel(caller, params['channel'] as TlObject);
  return tlNamed(caller, peerKey(channelPeer(chat.id)), params['id'] as TlObject[]);
};

/** The messages asked for, one for one; `messageEmpty` where there is none. */
function tlNamed(caller: Caller, box: PeerKey, inputs: readonly TlObject[]): TlObject {
  const { world, me } = caller;
  const ids = inputs.map((input) => wantedId(caller, box, input));
  const rows = ids.flatMap((id) => (id === undefined ? [] : (world.tables.message(box, id) ?? [])));
  const messages = ids.map((id) => {
    const row = id === undefined ? undefined : world.tables.message(box, id);
    return row ? tlMessage(world, me.id, row) : { _: 'messageEmpty', id: id ?? 0 };
  });
  return { ...tlMessages(caller, box, rows, messages.length), messages };
}

function wantedId({ world }: Caller, box: PeerKey, input: TlObject): number | undefined {
  if (input._ === 'inputMessageID') return input['id'] as number;
  if (input._ === 'inputMessageReplyTo') return world.tables.message(box, input['id'] as number)?.replyTo;
  if (input._ === 'inputMessagePinned') return world.tables.chats.get(box)?.pinned;
  return undefined;
}

function tlMessages({ world, me }: Caller, box: PeerKey, rows: readonly MessageRow[], count: number): TlObject {
  const messages = rows.map((row) => tlMessage(world, me.id, row));
  const people = new MentionedPeers(world, me.id).addMessages(rows).lists();
  if (box.startsWith('channel:')) {
    return { _: 'messages.channelMessages', pts: world.tables.box(box).pts, count, messages, topics: [], ...people };
  }
  return rows.length === count
    ? { _: 'messages.messages', messages, topics: [], ...people }
    : { _: 'messages.messagesSlice', count, messages, topics: [], ...people };
}

export const historyMethods: Record<string, Method> = {
  'messages.getHistory': getHistory,
  'messages.search': search,
  'messages.getMessages': getMessages,
  'channels.getMessages': getChannelMessages,
};
