import { RpcError, type TlObject } from '../../rpc.ts';
import { topMessage } from '../../world/dialogs.ts';
import { memberOf } from '../../world/members.ts';
import { updatesAfter } from '../../world/message-boxes.ts';
import { channelPeer, peerKey, userPeer } from '../../world/state/peer.ts';
import type { MessageRow, UpdateRow } from '../../world/state/rows.ts';
import { storiesOf } from '../../world/stories.ts';
import { inputChannel } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlMessage } from '../objects/tl-message.ts';
import { tlState } from '../objects/tl-state.ts';
import { messagesOf, tlUpdate } from '../objects/tl-update.ts';
import { tlDialog } from './dialogs.ts';

/** Telegram's limits of `updates.getChannelDifference`. */
const minChannelSlice = 10;
const maxChannelSlice = 100;
/** A client further behind than this gets the newest messages alone. */
const channelTooFar = 1_000;

const getDifference: Method = (params, caller) => {
  const { world, me } = caller;
  const counter = world.tables.box(peerKey(userPeer(me.id)));
  const pts = Number(params['pts']);
  if (pts < 1) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_EMPTY');
  if (pts > counter.pts) throw new RpcError(400, 'PERSISTENT_TIMESTAMP_INVALID');
  const missed = updatesAfter(world, counter.box, pts);
  const total = params['pts_total_limit'] as number | undefined;
  if (pts < counter.minPts || (total !== undefined && missed.length > total)) {
    return { _: 'updates.differenceTooLong', pts: counter.pts };
  }
  const date = Number(params['date']);
  const uncounted = [...postedStories(caller, date), ...changedChannels(caller, date)];
  if (missed.length === 0 && uncounted.length === 0) {
    return { _: 'updates.differenceEmpty', date: world.now(), seq: 1 };
  }
  const limit = Math.max(1, Math.min(world.differenceSlice, (params['pts_limit'] as number | undefined) ?? Infinity));
  const slice = missed.slice(0, limit);
  const whole = slice.length === missed.length;
  const told = tell(caller, slice);
  const body = {
    ...told,
    new_encrypted_messages: [],
    other_updates: [...told.other_updates, ...(whole ? uncounted : [])],
  };
  return whole
    ? { _: 'updates.difference', ...body, state: tlState(caller) }
    : { _: 'updates.differenceSlice', ...body, intermediate_state: tlState(caller, slice.at(-1)?.pts) };
};

/** As of messages, the login that posted is told under which ID; stories have dates, and no count. */
function postedStories({ world, me, login }: Caller, date: number): TlObject[] {
  if (!date) return [];
  const own = storiesOf(world, me.id).filter((story) => story.sentBy === login.hash && story.date >= date);
  return own.map(({ id, randomId }) => ({ _: 'updateStoryID', id, random_id: BigInt(randomId) }));
}

/** Channels count for themselves: their members are only told that there is something to fetch. */
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
  if (pts < counter.minPts || missed.length > channelTooFar) return tooLong(caller, chat.id);
  if (missed.length === 0) return { _: 'updates.channelDifferenceEmpty', final: true, pts: counter.pts, timeout: 30 };
  const asked = Math.min(maxChannelSlice, Math.max(minChannelSlice, Number(params['limit'])));
  const slice = missed.slice(0, Math.min(asked, world.differenceSlice));
  return {
    _: 'updates.channelDifference',
    final: slice.length === missed.length,
    pts: slice.at(-1)?.pts,
    timeout: 30,
    ...tell(caller, slice),
  };
};

function tooLong(caller: Caller, channelId: number): TlObject {
  const { world, me } = caller;
  const peer = channelPeer(channelId);
  const top = topMessage(world, me.id, peer);
  const people = new MentionedPeers(world, me.id).add(peer).addMessages(top ? [top] : []);
  return {
    _: 'updates.channelDifferenceTooLong',
    final: true,
    timeout: 30,
    dialog: tlDialog(caller, peer),
    messages: top ? [tlMessage(world, me.id, top)] : [],
    ...people.lists(),
  };
}

/**
 * New messages as they are now, everything else as updates, in order. The login that sent a message is told which of
 * its sends that was: a client that died before the answer came has nothing else to know it by.
 */
function tell({ world, me, login }: Caller, rows: readonly UpdateRow[]) {
  const fresh: MessageRow[] = [];
  const others: TlObject[] = [];
  const people = new MentionedPeers(world, me.id);
  for (const row of rows) {
    people.addMessages(messagesOf(world, row));
    if (row.peer) people.add(row.peer);
    if (row.kind === 'new') fresh.push(...messagesOf(world, row));
    else others.push(...[tlUpdate(world, me.id, row)].filter((update) => update !== undefined));
  }
  const sent = fresh.filter(({ randomId, sentBy }) => randomId !== undefined && sentBy === login.hash);
  const ids = sent.map(({ id, randomId }) => ({ _: 'updateMessageID', id, random_id: BigInt(randomId ?? 0) }));
  return {
    new_messages: fresh.map((row) => tlMessage(world, me.id, row)),
    other_updates: [...ids, ...others],
    ...people.lists(),
  };
}

export const updateMethods: Record<string, Method> = {
  'updates.getState': (_params, caller) => tlState(caller),
  'updates.getDifference': getDifference,
  'updates.getChannelDifference': getChannelDifference,
};
