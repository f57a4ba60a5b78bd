import type { TlObject } from '../../../rpc.ts';
import { memberOf } from '../../../world/chats/members.ts';
import type { Change } from '../../../world/notices.ts';
import { peerKey, userPeer } from '../../../world/state/peer.ts';
import type { Caller } from '../../method.ts';
import { tlNotices } from '../../objects/tl-notice.ts';
import { messagesOf, tlUpdate, tlUpdates } from '../../objects/tl-update.ts';
import { pushChange } from '../../push/push-change.ts';

/** Pushes a change, and returns the caller's part of it: the answer to the method that has made it. */
export function answerChange(caller: Caller, change: Change): TlObject {
  const { world, me, call } = caller;
  pushChange(world, change, call.sessionId);
  const ownBox = peerKey(userPeer(me.id));
  const rows = change.updates.filter(({ box }) => {
    const chat = world.tables.chats.get(box);
    return box === ownBox || (chat !== undefined && memberOf(chat, me.id) !== undefined);
  });
  const own = change.notices.filter(({ owner }) => owner === me.id);
  const { updates, mentioned } = tlNotices(world, me.id, own);
  mentioned.addMessages(rows.flatMap((row) => messagesOf(world, row)));
  return tlUpdates(world, [...rows.flatMap((row) => tlUpdate(world, me.id, row) ?? []), ...updates], mentioned.lists());
}
