import type { TlObject } from '../../rpc.ts';
import { isBot } from '../../world/bots/bot-updates.ts';
import { isAdmin, memberIds } from '../../world/chats/members.ts';
import type { MemberChange } from '../../world/notices.ts';
import { peerKey, userPeer } from '../../world/state/peer.ts';
import type { ChatRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { tlChatParticipant } from '../objects/tl-chat-participants.ts';
import { tlParticipant } from '../objects/tl-participant.ts';
import { pushBotUpdate } from './push-bot-update.ts';

/** Tells the bots that are administrators of a chat what has changed of a member. */
export function pushMember(world: World, { id, by, before, after }: MemberChange): void {
  const peer = { kind: after.kind, id: after.id } as const;
  const chat = world.tables.chats.get(peerKey(peer));
  if (chat === undefined) return;
  for (const bot of memberIds(chat)) {
    if (!isBot(world, bot) || !isAdmin(chat, bot)) continue;
    const participant = (row: ChatRow): TlObject | undefined =>
      row.kind === 'chat' ? tlChatParticipant(row, id) : tlParticipant(world, bot, row, id);
    const update = {
      ...(after.kind === 'chat'
        ? { _: 'updateChatParticipant', chat_id: BigInt(after.id) }
        : { _: 'updateChannelParticipant', channel_id: BigInt(after.id) }),
      date: world.now(),
      actor_id: BigInt(by),
      user_id: BigInt(id),
      prev_participant: participant(before),
      new_participant: participant(after),
    };
    pushBotUpdate(world, bot, update, [peer, userPeer(id), userPeer(by)]);
  }
}
