import { RpcError, type TlObject } from '../../rpc.ts';
import { memberOf } from '../../world/chats/members.ts';
import { topMessage } from '../../world/dialogs.ts';
import { eventsSince } from '../../world/events.ts';
import { updatesAfter } from '../../world/messages/message-boxes.ts';
import { noticesSince } from '../../world/notices.ts';
import type { MessageRow, UpdateRow } from '../../world/state/message-rows.ts';
import { channelPeer, peerKey, userPeer } from '../../world/state/peer.ts';
import { storiesOf } from '../../world/stories.ts';
import { inputChannel } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlEvent } from '../objects/tl-event.ts';
import { tlMessage } from '../objects/tl-message.ts';
import { tlNotices } from '../objects/tl-notice.ts';
import { tlState } from '../objects/tl-state.ts';
import { messagesOf, tlUpdate } from '../objects/tl-update.ts';
import { tlDialog } from './dialogs.ts';

/** Limits of `updates.getChannelDifference`: https://core.telegram.org/method/updates.getChannelDifference */
const minChannelSlice = 10;
const maxChannelSlice = 100;
/** A client that has missed more updates of a channel gets `channelDifferenceTooLong`. */
const maxMissedInChannel = 1_000;

const getDifference: Method = (params, caller) => {
  const { world, me } = caller;
  const counter = world.tables.box(peerKey(userPeer(me.id)));
  const pts = Number(params['pts']);
  if (pts < 1) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_EMPTY');
  if (pts > counter.pts) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_INVALID');
  const missed = updatesAfter(world, counter.box, pts);
  // Only clients that set this limit expect the answer; for all others it is an injected fault.
  const total = (params['pts_total_limit'] as number | undefined) ?? Infinity;
  if (missed.length > total || pts < counter.minPts) {
    return { _: 'updates.differenceTooLong', pts: counter.pts };
  }
  const date = Number(params['date']);
  const qts = Number(params['qts']) || 0;
  const events = eventsSince(world, me.id, date, qts);
  const written = events.flatMap((event) => tlEvent(world, event) ?? []);
  const told = tlNotices(world, me.id, date ? noticesSince(world, me.id, date) : []);
  told.mentioned.add(...events.flatMap(({ peers }) => peers));
  const withoutPts = [...postedStories(caller, date), ...changedChannels(caller, date), ...told.updates, ...written];
  if (missed.length === 0 && withoutPts.length === 0) {
    return { _: 'updates.differenceEmpty', date: world.now(), seq: 1 };
  }
  if (world.differenceFaults.takeStuck(me.id)) {
    const nothing = { ...tlDifference(caller, []), new_encrypted_messages: [] };
    return { _: 'updates.differenceSlice', ...nothing, intermediate_state: { ...tlState(caller, pts), date, qts } };
  }
  const limit = Math.max(1, Math.min(world.differenceSlice, (params['pts_limit'] as number | undefined) ?? Infinity));
  const slice = missed.slice(0, limit);
  const isComplete = slice.length === missed.length;
  const difference = tlDifference(caller, slice, isComplete ? told.mentioned : undefined);
  const body = {
    ...difference,
    new_encrypted_messages: [],
    other_updates: [...difference.other_updates, ...(isComplete ? withoutPts : [])],
  };
  return isComplete
    ? { _: 'updates.difference', ...body, state: tlState(caller) }
    : { _: 'updates.differenceSlice', ...body, intermediate_state: { ...tlState(caller, slice.at(-1)?.pts), qts } };
};

/** The login that posted a story gets its ID, as for messages. Stories have no `pts`: their date decides. */
function postedStories({ world, me, login }: Caller, date: number): TlObject[] {
  if (!date) return [];
  const own = storiesOf(world, me.id).filter((story) => story.sentBy === login.hash && story.date >= date);
  return own.map(({ id, randomId }) => ({ _: 'updateStoryID', id, random_id: BigInt(randomId) }));
}

/** Channels have their own `pts`: the user's difference only names the channels that have news. */
function changedChannels({ world, me }: Caller, date: number): TlObject[] {
  if (!date) return [];
  return [...world.tables.chats.values()].flatMap((chat) => {
    if (chat.kind !== 'channel' || !memberOf(chat, me.id)) return [];
    const { box, pts } = world.tables.box(peerKey(channelPeer(chat.id)));
    const last = updatesAfter(world, box, pts - 1).at(-1);
    if (!last || last.date < date) return [];
    return [{ _: 'updateChannelTooLong', channel_id: BigInt(chat.id), pts }];
  });
}

const getChannelDifference: Method = (params, caller) => {
  const { world } = caller;
  const chat = inputChannel(caller, params['channel'] as TlObject);
  const peer = channelPeer(chat.id);
  const counter = world.tables.box(peerKey(peer));
  const pts = Number(params['pts']);
  if (pts < 1) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_EMPTY');
  if (pts > counter.pts) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_INVALID');
  const missed = updatesAfter(world, counter.box, pts);
  if (pts < counter.minPts || missed.length > maxMissedInChannel) return tlChannelTooLong(caller, chat.id);
  if (missed.length === 0) return { _: 'updates.channelDifferenceEmpty', final: true, pts: counter.pts, timeout: 30 };
  const limit = Math.min(maxChannelSlice, Math.max(minChannelSlice, Number(params['limit'])));
  const slice = missed.slice(0, Math.min(limit, world.differenceSlice));
  const final = slice.length === missed.length;
  return {
    _: 'updates.channelDifference',
    final,
    pts: slice.at(-1)?.pts,
    timeout: final ? 30 : undefined,
    ...tlDifference(caller, slice),
  };
};

function tlChannelTooLong(caller: Caller, channelId: number): TlObject {
  const { world, me } = caller;
  const peer = channelPeer(channelId);
  const top = topMessage(world, me.id, peer);
  const mentioned = new MentionedPeers(world, me.id).add(peer).addMessages(top ? [top] : []);
  return {
    _: 'updates.channelDifferenceTooLong',
    final: true,
    timeout: 30,
    dialog: tlDialog(caller, peer),
    messages: top ? [tlMessage(world, me.id, top)] : [],
    ...mentioned.lists(),
  };
}

/**
 * New messages in their current state, and all other events as updates, in order. The login that sent a message also
 * gets its `random_id`: a client that crashed before the answer arrived has no other way to recognise the message.
 */
function tlDifference(
  { world, me, login }: Caller,
  rows: readonly UpdateRow[],
  mentioned = new MentionedPeers(world, me.id),
) {
  const fresh: MessageRow[] = [];
  const others: TlObject[] = [];
  for (const row of rows) {
    if (world.differenceFaults.isUnreadable(row)) {
      others.push({ _: 'updateOfLaterLayer', text: 'of a later layer' });
      continue;
    }
    mentioned.addMessages(messagesOf(world, row));
    if (row.peer) mentioned.add(row.peer);
    if (row.kind === 'new') fresh.push(...messagesOf(world, row));
    else others.push(...[tlUpdate(world, me.id, row)].filter((update) => update !== undefined));
  }
  const sent = fresh.filter(({ randomId, sentBy }) => randomId !== undefined && sentBy === login.hash);
  const ids = sent.map(({ id, randomId }) => ({ _: 'updateMessageID', id, random_id: BigInt(randomId ?? 0) }));
  return {
    new_messages: fresh.map((row) => tlMessage(world, me.id, row)),
    other_updates: [...ids, ...others],
    ...mentioned.lists(),
  };
}

export const updateMethods: Record<string, Method> = {
  'updates.getState': (_params, caller) => tlState(caller),
  'updates.getDifference': getDifference,
  'updates.getChannelDifference': getChannelDifference,
};
