import { placeMessage, type SentMessage } from '../../world/messages/send-message.ts';
import { draftOf, mayLeave } from '../../world/scheduled/scheduled-messages.ts';
import { type PeerRef, peerKey } from '../../world/state/peer.ts';
import type { ScheduledRow } from '../../world/state/poll-rows.ts';
import type { World } from '../../world/world.ts';
import { pushEvent } from './push-event.ts';
import { pushUpdates } from './push-updates.ts';

/** What has left a queue, and as which message. */
export interface LeftMessages {
  owner: number;
  peer: PeerRef;
  ids: number[];
  sent: SentMessage[];
}

/**
 * Sends messages of the queues now, and tells everyone. A message that its sender may no longer send is dropped.
 * `exceptSession` has the updates in its answer.
 */
export function sendScheduled(world: World, rows: readonly ScheduledRow[], exceptSession?: bigint): LeftMessages[] {
  const chatOf = ({ owner, message }: ScheduledRow): string => `${owner}/${peerKey(message.peer)}`;
  const chats = [...new Set(rows.map(chatOf))];
  return chats.map((chat) => {
    const group = rows.filter((row) => chatOf(row) === chat);
    const [first] = group as [ScheduledRow];
    const { owner } = first;
    const { peer } = first.message;
    const leaving = group.filter((row) => mayLeave(world, row));
    const sent = leaving.map((row) => placeMessage(world, owner, peer, draftOf(row)));
    for (const row of group) world.tables.scheduled.delete(world.tables.scheduled.keyOf(row));
    const left = { owner, peer, ids: group.map(({ message }) => message.id), sent };
    pushUpdates(
      world,
      sent.flatMap(({ updates }) => updates),
      exceptSession,
    );
    const update = {
      _: 'updateDeleteScheduledMessages',
      messages: left.ids,
      sent_messages: sent.length > 0 ? sent.map(({ message }) => message.id) : undefined,
    };
    pushEvent(world, owner, update, [peer], exceptSession);
    return left;
  });
}
