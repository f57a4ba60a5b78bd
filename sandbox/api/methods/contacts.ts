import { RpcError, type TlObject } from '../../rpc.ts';
import { findByPhone, findByUsername } from '../../world/find-peer.ts';
import { type PeerRef, userPeer } from '../../world/state/peer.ts';
import { inputUser } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';

/** Telegram's own minimum is 5 characters, with shorter exceptions. The seeded world has names of 3. */
const usernamePattern = /^[a-z]\w{2,31}$/i;

const resolveUsername: Method = (params, caller) => {
  const username = params['username'] as string;
  if (!usernamePattern.test(username)) throw new RpcError(400, 'USERNAME_INVALID');
  const peer = findByUsername(caller.world, username);
  if (!peer) throw new RpcError(400, 'USERNAME_NOT_OCCUPIED');
  return tlResolved(caller, peer);
};

const resolvePhone: Method = (params, caller) => {
  const user = findByPhone(caller.world, caller.me.id, params['phone'] as string);
  if (!user) throw new RpcError(400, 'PHONE_NOT_OCCUPIED');
  return tlResolved(caller, userPeer(user.id));
};

function tlResolved({ world, me }: Caller, peer: PeerRef): TlObject {
  return { _: 'contacts.resolvedPeer', peer: tlPeer(peer), ...new MentionedPeers(world, me.id).add(peer).lists() };
}

const getContacts: Method = (_params, { world, me }) => {
  const ids = me.contacts ?? [];
  return {
    _: 'contacts.contacts',
    contacts: ids.map((id) => tlContact(id, world.tables.users.get(id)?.contacts?.includes(me.id) ?? false)),
    saved_count: ids.length,
    users: new MentionedPeers(world, me.id).add(...ids.map(userPeer)).users,
  };
};

const tlContact = (id: number, mutual: boolean): TlObject => ({ _: 'contact', user_id: BigInt(id), mutual });

const importContacts: Method = (params, { world, me }) => {
  const found = (params['contacts'] as TlObject[]).flatMap((contact) => {
    const user = findByPhone(world, me.id, contact['phone'] as string);
    return user ? [{ id: user.id, clientId: contact['client_id'] as bigint }] : [];
  });
  const fresh = found.map(({ id }) => id).filter((id) => id !== me.id && !me.contacts?.includes(id));
  if (fresh.length > 0) world.tables.users.put({ ...me, contacts: [...(me.contacts ?? []), ...new Set(fresh)] });
  return {
    _: 'contacts.importedContacts',
    imported: found.map(({ id, clientId }) => ({ _: 'importedContact', user_id: BigInt(id), client_id: clientId })),
    popular_invites: [],
    retry_contacts: [],
    users: new MentionedPeers(world, me.id).add(...found.map(({ id }) => userPeer(id))).users,
  };
};

const addContact: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['id'] as TlObject);
  if (!me.contacts?.includes(user.id)) world.tables.users.put({ ...me, contacts: [...(me.contacts ?? []), user.id] });
  const mentioned = new MentionedPeers(world, me.id).add(userPeer(user.id));
  return { _: 'updates', updates: [], ...mentioned.lists(), date: world.now(), seq: 0 };
};

const setBlocked =
  (blocked: boolean): Method =>
  (params, caller) => {
    const { world, me } = caller;
    const user = inputUser(caller, params['id'] as TlObject, 'PEER_ID_INVALID');
    const others = (me.blocked ?? []).filter((id) => id !== user.id);
    world.tables.users.put({ ...me, blocked: blocked ? [...others, user.id] : others });
    return true;
  };

export const contactMethods: Record<string, Method> = {
  'contacts.resolveUsername': resolveUsername,
  'contacts.resolvePhone': resolvePhone,
  'contacts.getContacts': getContacts,
  'contacts.importContacts': importContacts,
  'contacts.addContact': addContact,
  'contacts.block': setBlocked(true),
  'contacts.unblock': setBlocked(false),
};
