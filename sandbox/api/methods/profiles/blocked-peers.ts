import { RpcError, type TlObject } from '../../../rpc.ts';
import { userPeer } from '../../../world/state/peer.ts';
import { inputUser } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdates } from '../../objects/tl-update.ts';

const maxPage = 100;

/** Who may not write, or may not see stories (`my_stories_from`): two lists. https://core.telegram.org/api/block */
type BlockList = 'blocked' | 'storiesBlocked';
const listOf = (params: TlObject): BlockList => (params['my_stories_from'] ? 'storiesBlocked' : 'blocked');

const setBlocked =
  (blocked: boolean): Method =>
  (params, caller) => {
    const { world, me } = caller;
    const user = inputUser(caller, params['id'] as TlObject, 'PEER_ID_INVALID');
    if (user.id === me.id) throw new RpcError(400, 'CONTACT_ID_INVALID');
    const list = listOf(params);
    const others = (me[list] ?? []).filter((id) => id !== user.id);
    const changed = { ...me, [list]: blocked ? [...others, user.id] : others };
    const { [user.id]: _date, ...dates } = me.blockedAt ?? {};
    changed.blockedAt = blocked ? { ...dates, [user.id]: world.now() } : dates;
    world.tables.users.put(changed);
    pushBlocked(caller, user.id);
    return true;
  };

/** Tells the other devices of the account. */
function pushBlocked({ world, me, call }: Caller, userId: number): void {
  const own = world.tables.users.get(me.id);
  const update = {
    _: 'updatePeerBlocked',
    blocked: own?.blocked?.includes(userId) ?? false,
    blocked_my_stories_from: own?.storiesBlocked?.includes(userId) ?? false,
    peer_id: tlPeer(userPeer(userId)),
  };
  const mentioned = new MentionedPeers(world, me.id).add(userPeer(userId));
  world.push(me.id, tlUpdates(world, [update], mentioned.lists()), call.sessionId);
}

/** The latest first. https://core.telegram.org/method/contacts.getBlocked */
const getBlocked: Method = (params, { world, me }) => {
  const all = (me[listOf(params)] ?? []).toReversed();
  const offset = Math.max(0, Number(params['offset']));
  const limit = Math.min(maxPage, Math.max(0, Number(params['limit'])));
  const page = all.slice(offset, offset + limit);
  const answer = {
    blocked: page.map((id) => ({
      _: 'peerBlocked',
      peer_id: tlPeer(userPeer(id)),
      date: me.blockedAt?.[id] ?? 0,
    })),
    ...new MentionedPeers(world, me.id).add(...page.map(userPeer)).lists(),
  };
  if (page.length === all.length) return { _: 'contacts.blocked', ...answer };
  return { _: 'contacts.blockedSlice', count: all.length, ...answer };
};

export const blockedPeerMethods: Record<string, Method> = {
  'contacts.block': setBlocked(true),
  'contacts.unblock': setBlocked(false),
  'contacts.getBlocked': getBlocked,
};
