import { RpcError, type TlObject } from '../../../rpc.ts';
import { dialogOf, dialogsOf } from '../../../world/dialogs.ts';
import { messagesInTopic } from '../../../world/forums/topic-messages.ts';
import { type MessageCriteria, messageMatcher, requireFilter } from '../../../world/messages/message-criteria.ts';
import { unreadReactions } from '../../../world/reactions/give-reaction.ts';
import type { MessageRow } from '../../../world/state/message-rows.ts';
import { boxOf, type PeerRef, peerKey, samePeer, userPeer } from '../../../world/state/peer.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { historyOffsets, maxMessages, pageOf, tlMessages } from './message-pages.ts';

/** @throws {RpcError} what {@link inputPeer} throws */
function criteriaOf(caller: Caller, params: TlObject): MessageCriteria {
  const from = params['from_id'] && inputPeer(caller, params['from_id'] as TlObject);
  return {
    query: params['q'] as string,
    filter: params['filter'] as TlObject,
    minDate: params['min_date'] as number,
    maxDate: params['max_date'] as number,
    ...(from ? { from: from.kind === 'user' ? from.id : 'channel' } : {}),
  };
}

function rowsIn({ world, me }: Caller, peer: PeerRef): MessageRow[] {
  const box = boxOf(me.id, peer);
  return world.tables.history(box, peerKey(peer)).flatMap((id) => world.tables.message(box, id) ?? []);
}

/** In one chat; without a peer, in all private chats and basic groups. */
const search: Method = (params, caller) => {
  const { world, me } = caller;
  const criteria = criteriaOf(caller, params);
  const matches = messageMatcher(world, me.id, criteria);
  const inputs = params['peer'] as TlObject;
  const isEverywhere = inputs._ === 'inputPeerEmpty';
  const isAnything = criteria.filter._ === 'inputMessagesFilterEmpty' && criteria.query.trim() === '';
  if (isEverywhere && isAnything) throw new RpcError(400, 'SEARCH_QUERY_EMPTY');
  const peers = isEverywhere ? ownBoxPeers(caller) : [inputPeer(caller, inputs)];
  const box = boxOf(me.id, peers[0] ?? userPeer(me.id));
  const inTopic = topicFilter(caller, peers[0], params['top_msg_id'] as number | undefined);
  const found = peers
    .flatMap((peer) => rowsIn(caller, peer))
    .filter((row) => matches(row) && inTopic(row))
    .map(({ id }) => id)
    .toSorted((a, b) => a - b);
  const page = pageOf(found, historyOffsets(params));
  return tlMessages(
    caller,
    box,
    page.flatMap((id) => world.tables.message(box, id) ?? []),
    found.length,
  );
};

/** The messages of one topic of a forum, or the replies to one message. */
function topicFilter(
  { world }: Caller,
  peer: PeerRef | undefined,
  topic: number | undefined,
): (row: MessageRow) => boolean {
  if (!topic || !peer) return () => true;
  const chat = world.tables.chats.get(peerKey(peer));
  if (!chat?.forum) return (row) => row.replyTo === topic;
  const ids = new Set(messagesInTopic(world, chat, topic));
  return ({ id }) => ids.has(id);
}

const ownBoxPeers = ({ world, me }: Caller): PeerRef[] =>
  dialogsOf(world, me.id)
    .map(({ peer }) => peer)
    .filter(({ kind }) => kind !== 'channel');

/** In all chats, the newest first. The answer's `next_rate` and its last message lead to the next page. */
const searchGlobal: Method = (params, caller) => {
  const { world, me } = caller;
  const criteria = criteriaOf(caller, params);
  if (criteria.query.trim() === '' && criteria.filter._ === 'inputMessagesFilterEmpty') {
    throw new RpcError(400, 'SEARCH_QUERY_EMPTY');
  }
  const folder = params['folder_id'] as number | undefined;
  if (folder !== undefined && folder !== 0 && folder !== 1) throw new RpcError(400, 'FOLDER_ID_INVALID');
  const matches = messageMatcher(world, me.id, criteria);
  const found = dialogsOf(world, me.id)
    .map(({ peer }) => peer)
    .filter((peer) => folder === undefined || (dialogOf(world, me.id, peer).archived ?? false) === (folder === 1))
    .filter((peer) => isWanted(caller, peer, params))
    .flatMap((peer) => rowsIn(caller, peer).filter(matches))
    .toSorted(newestFirst);
  const start = startAfter(caller, found, params);
  const page = found.slice(start, start + Math.min(params['limit'] as number, maxMessages));
  const { messages, users, chats } = tlMessages(caller, '', page, found.length);
  const isLast = start + page.length >= found.length;
  const next_rate = isLast ? undefined : page.at(-1)?.date;
  const whole = start === 0 && isLast;
  const common = { messages, topics: [], users, chats };
  return whole
    ? { _: 'messages.messages', ...common }
    : { _: 'messages.messagesSlice', count: found.length, next_rate, ...common };
};

const newestFirst = (a: MessageRow, b: MessageRow): number =>
  b.date - a.date || peerKey(a.peer).localeCompare(peerKey(b.peer)) || b.id - a.id;

function isWanted({ world }: Caller, peer: PeerRef, params: TlObject): boolean {
  const isBroadcast = peer.kind === 'channel' && !world.tables.chats.get(peerKey(peer))?.megagroup;
  if (params['users_only']) return peer.kind === 'user';
  if (params['broadcasts_only']) return isBroadcast;
  return params['groups_only'] ? peer.kind !== 'user' && !isBroadcast : true;
}

function startAfter(caller: Caller, found: readonly MessageRow[], params: TlObject): number {
  const offset = params['offset_peer'] as TlObject;
  const rate = params['offset_rate'] as number;
  if (offset._ === 'inputPeerEmpty' && !rate) return 0;
  const peer = offset._ === 'inputPeerEmpty' ? undefined : inputPeer(caller, offset);
  const last = found.findIndex((row) => peer && samePeer(row.peer, peer) && row.id === params['offset_id']);
  if (last >= 0) return last + 1;
  const older = found.findIndex(({ date }) => date < rate);
  return older < 0 ? found.length : older;
}

const getSearchCounters: Method = (params, caller) => {
  const rows = rowsIn(caller, inputPeer(caller, params['peer'] as TlObject));
  return (params['filters'] as TlObject[]).map((filter) => {
    requireFilter(filter);
    const matches = messageMatcher(caller.world, caller.me.id, { query: '', filter, minDate: 0, maxDate: 0 });
    return { _: 'messages.searchCounter', filter, count: rows.filter(matches).length };
  });
};

const getUnreadReactions: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = unreadReactions(world, me.id, peer);
  const page = new Set(
    pageOf(
      rows.map(({ id }) => id),
      historyOffsets(params),
    ),
  );
  const shown = rows.filter(({ id }) => page.has(id)).toReversed();
  return tlMessages(caller, boxOf(me.id, peer), shown, rows.length);
};

export const searchMethods: Record<string, Method> = {
  'messages.search': search,
  'messages.searchGlobal': searchGlobal,
  'messages.getSearchCounters': getSearchCounters,
  'messages.getUnreadReactions': getUnreadReactions,
};
