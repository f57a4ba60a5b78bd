import { RpcError, type TlObject } from '../../../rpc.ts';
import { maxTextLength } from '../../../world/messages/rich-text.ts';
import { requireDate, requireScheduled, scheduledIn } from '../../../world/scheduled/scheduled-messages.ts';
import { type PeerRef, userPeer } from '../../../world/state/peer.ts';
import type { ScheduledRow } from '../../../world/state/poll-rows.ts';
import { inputPeer } from '../../input/input-peer.ts';
import { inputText } from '../../input/input-text.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlMessage } from '../../objects/tl-message.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';
import { sendScheduled } from '../../push/send-scheduled.ts';
import { tlSent } from './answer-sent.ts';

function tlScheduled({ world, me }: Caller, rows: readonly ScheduledRow[]): TlObject {
  const messages = rows.map(({ message }) => message).toReversed();
  return {
    _: 'messages.messages',
    messages: messages.map((message) => tlMessage(world, me.id, message)),
    topics: [],
    ...new MentionedPeers(world, me.id).addMessages(messages).lists(),
  };
}

const getScheduledHistory: Method = (params, caller) => {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  return tlScheduled(caller, scheduledIn(caller.world, caller.me.id, peer));
};

/** IDs that are not in the queue are left out. */
const getScheduledMessages: Method = (params, caller) => {
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const wanted = new Set(params['id'] as number[]);
  const rows = scheduledIn(caller.world, caller.me.id, peer);
  return tlScheduled(
    caller,
    rows.filter(({ message }) => wanted.has(message.id)),
  );
};

const sendScheduledMessages: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = requireScheduled(world, me.id, peer, params['id'] as number[]);
  const sent = sendScheduled(world, rows, call.sessionId).flatMap((left) => left.sent);
  const answer = tlSent(caller, sent);
  const ids = sent.map(({ message }) => message.id);
  answer['updates'].push(tlLeft(peer, params['id'] as number[], ids.length > 0 ? ids : undefined));
  return answer;
};

const tlLeft = (peer: PeerRef, messages: number[], sent_messages?: number[]): TlObject => ({
  _: 'updateDeleteScheduledMessages',
  peer: tlPeer(peer),
  messages,
  sent_messages,
});

const deleteScheduledMessages: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const rows = requireScheduled(world, me.id, peer, params['id'] as number[]);
  for (const row of rows) world.tables.scheduled.delete(world.tables.scheduled.keyOf(row));
  const messages = rows.map(({ message }) => message.id);
  pushEvent(world, me.id, { _: 'updateDeleteScheduledMessages', messages }, [peer], call.sessionId);
  return tlUpdates(world, [tlLeft(peer, messages)], new MentionedPeers(world, me.id).add(peer).lists());
};

/** Changes the text or the time of a message in the queue. @throws {RpcError} 400 MESSAGE_ID_INVALID, … */
export function editScheduled(params: TlObject, caller: Caller, peer: PeerRef): TlObject {
  const { world, me, call } = caller;
  const [row] = requireScheduled(world, me.id, peer, [params['id'] as number]) as [ScheduledRow];
  const date = params['schedule_date'] as number;
  requireDate(world, me.id, peer, date);
  const message = { ...row.message, date };
  if (params['message'] !== undefined) {
    const rich = inputText(caller, params['message'], params['entities']);
    if (rich.text === '' && !message.media) throw new RpcError(400, 'MESSAGE_EMPTY');
    if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
    Object.assign(message, rich);
  }
  world.tables.scheduled.put({ ...row, message });
  const update = { _: 'updateNewScheduledMessage', message: tlMessage(world, me.id, message) };
  pushEvent(world, me.id, { _: update._, id: message.id }, [peer, userPeer(me.id)], call.sessionId);
  return tlUpdates(world, [update], new MentionedPeers(world, me.id).addMessages([message]).lists());
}

export const scheduledMethods: Record<string, Method> = {
  'messages.getScheduledHistory': getScheduledHistory,
  'messages.getScheduledMessages': getScheduledMessages,
  'messages.sendScheduledMessages': sendScheduledMessages,
  'messages.deleteScheduledMessages': deleteScheduledMessages,
};
