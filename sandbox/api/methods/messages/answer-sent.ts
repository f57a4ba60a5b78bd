import { RpcError, type TlObject } from '../../../rpc.ts';
import { dialogOf } from '../../../world/dialogs.ts';
import { type MessageDraft, type SentMessage, sendMessages } from '../../../world/messages/send-message.ts';
import { isForLater, scheduleMessages } from '../../../world/scheduled/scheduled-messages.ts';
import type { MessageRow, UpdateRow } from '../../../world/state/message-rows.ts';
import { type PeerRef, userPeer } from '../../../world/state/peer.ts';
import type { Caller } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlMessage } from '../../objects/tl-message.ts';
import { tlUpdate, tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';
import { pushUpdates } from '../../push/push-updates.ts';

/**
 * Sends messages, all or none, pushes them to everyone's devices, and makes the answer. With a later `scheduleDate`
 * they wait in the sender's queue.
 */
export function sendAndAnswer(
  caller: Caller,
  peer: PeerRef,
  drafts: readonly MessageDraft[],
  scheduleDate?: number,
): TlObject {
  const { world, me, call } = caller;
  if (isForLater(world, scheduleDate)) return scheduleAndAnswer(caller, peer, drafts, scheduleDate);
  const sent = sendMessages(world, me.id, peer, drafts);
  pushUpdates(
    world,
    sent.flatMap(({ updates }) => updates),
    call.sessionId,
  );
  return tlSent(caller, sent);
}

/**
 * The answer to repeated `random_id`s: the messages that they became, in updates that count nothing. While the first
 * send is under way, or after a message was deleted, the answer is RANDOM_ID_DUPLICATE.
 */
export function sentBefore({ world, me }: Caller, randomIds: readonly bigint[]): TlObject | undefined {
  const found = randomIds.map((randomId) => {
    const sent = randomId ? world.tables.findByRandomId(me.id, randomId) : undefined;
    return sent && world.tables.message(sent.box, sent.id);
  });
  const messages = found.filter((message) => message !== undefined);
  if (messages.length === 0 || messages.length < randomIds.length) return undefined;
  const updates = messages.map((message) => {
    const kind = message.box.startsWith('channel:') ? 'updateNewChannelMessage' : 'updateNewMessage';
    const { pts } = world.tables.box(message.box);
    return { _: kind, message: tlMessage(world, me.id, message), pts, pts_count: 0 };
  });
  return tlUpdates(
    world,
    [...messages.map(tlMessageId), ...updates],
    new MentionedPeers(world, me.id).addMessages(messages).lists(),
  );
}

/** Which message a `random_id` has become. */
function tlMessageId({ id, randomId }: MessageRow): TlObject {
  return { _: 'updateMessageID', id, random_id: BigInt(randomId ?? 0) };
}

/** Telegram's answer to a text in a private chat or basic group. */
export function tlShortSent({ message, updates }: SentMessage): TlObject {
  const own = updates[0] as UpdateRow;
  return {
    _: 'updateShortSentMessage',
    out: true,
    id: message.id,
    pts: own.pts,
    pts_count: own.count,
    date: message.date,
    entities: message.entities?.length ? message.entities : undefined,
  };
}

function scheduleAndAnswer(
  { world, me, call }: Caller,
  peer: PeerRef,
  drafts: readonly MessageDraft[],
  date: number,
): TlObject {
  const messages = scheduleMessages(world, me.id, peer, drafts, date).map(({ message }) => message);
  for (const { id } of messages) {
    pushEvent(world, me.id, { _: 'updateNewScheduledMessage', id }, [peer, userPeer(me.id)], call.sessionId);
  }
  const updates = messages.map((message) => ({
    _: 'updateNewScheduledMessage',
    message: tlMessage(world, me.id, message),
  }));
  const mentioned = new MentionedPeers(world, me.id).addMessages(messages);
  return tlUpdates(world, [...messages.map(tlMessageId), ...updates], mentioned.lists());
}

/** The new messages, with the `random_id` of each, and what the sender has read by sending them. */
export function tlSent({ world, me }: Caller, sent: readonly SentMessage[]): TlObject {
  const messages = sent.map(({ message }) => message);
  const own = sent.flatMap(({ updates }) => tlUpdate(world, me.id, updates[0] as UpdateRow) ?? []);
  const list = [...messages.map(tlMessageId), ...own];
  const last = sent.at(-1);
  if (last?.message.peer.kind === 'channel') {
    const { id, peer } = last.message;
    const channel = { channel_id: BigInt(peer.id), max_id: id };
    list.push({ _: 'updateReadChannelInbox', ...channel, still_unread_count: 0, pts: last.updates[0]?.pts ?? 0 });
    world.tables.dialogs.put({ ...dialogOf(world, me.id, peer), readInbox: id });
  }
  return tlUpdates(world, list, new MentionedPeers(world, me.id).addMessages(messages).lists());
}

/** @throws {RpcError} 400 RANDOM_ID_EMPTY */
export function requireRandomIds(randomIds: readonly bigint[]): void {
  if (randomIds.some((id) => !id)) throw new RpcError(400, 'RANDOM_ID_EMPTY');
}
