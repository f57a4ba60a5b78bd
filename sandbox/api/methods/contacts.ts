import { RpcError, type TlObject } from '../../rpc.ts';
import { forgetContacts, saveContact } from '../../world/contacts.ts';
import { findByPhone, findByUsername } from '../../world/find-peer.ts';
import { type PeerRef, userPeer } from '../../world/state/peer.ts';
import { inputPeer, inputUser } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlPeerSettings } from '../objects/tl-peer-settings.ts';
import { tlUpdates } from '../objects/tl-update.ts';
import { pushEvent } from '../push/push-event.ts';

const resolveUsername: Method = (params, caller) => {
  const username = params['username'] as string;
  const peer = findByUsername(caller.world, username);
  // Names of 4 characters are sold: they may be looked up, and not chosen.
  if (!peer && !/^[a-z]\w{3,31}$/i.test(username)) throw new RpcError(400, 'USERNAME_INVALID');
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

const getContacts: Method = (params, { world, me }) => {
  const ids = me.contacts ?? [];
  const sorted = ids.toSorted((a, b) => a - b);
  if (ids.length > 0 && params['hash'] === hashOf([ids.length, ...sorted]))
    return { _: 'contacts.contactsNotModified' };
  return {
    _: 'contacts.contacts',
    contacts: ids.map((id) => tlContact(id, world.tables.users.get(id)?.contacts?.includes(me.id) ?? false)),
    saved_count: ids.length,
    users: new MentionedPeers(world, me.id).add(...ids.map(userPeer)).users,
  };
};

/** https://core.telegram.org/api/offsets#hash-generation */
function hashOf(numbers: readonly number[]): bigint {
  let hash = 0n;
  for (const number of numbers) {
    hash ^= hash >> 21n;
    hash = BigInt.asUintN(64, hash ^ (hash << 35n));
    hash ^= hash >> 4n;
    hash = BigInt.asUintN(64, hash + BigInt(number));
  }
  return BigInt.asIntN(64, hash);
}

const tlContact = (id: number, mutual: boolean): TlObject => ({ _: 'contact', user_id: BigInt(id), mutual });

/** Saves contacts under the names of the request. A number without an account is left out. */
const importContacts: Method = (params, caller) => {
  const { world, me } = caller;
  const found = (params['contacts'] as TlObject[]).flatMap((contact) => {
    const user = findByPhone(world, me.id, contact['phone'] as string);
    return user ? [{ id: user.id, contact }] : [];
  });
  for (const { id, contact } of found) {
    if (id === me.id) continue;
    saveContact(world, me, id, { firstName: contact['first_name'], lastName: contact['last_name'] });
    pushSettings(caller, userPeer(id));
  }
  return {
    _: 'contacts.importedContacts',
    imported: found.map(({ id, contact }) => ({
      _: 'importedContact',
      user_id: BigInt(id),
      client_id: contact['client_id'],
    })),
    popular_invites: [],
    retry_contacts: [],
    users: new MentionedPeers(world, me.id).add(...found.map(({ id }) => userPeer(id))).users,
  };
};

/** @throws {RpcError} 400 CONTACT_ID_INVALID for oneself, CONTACT_NAME_EMPTY */
const addContact: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['id'] as TlObject, 'CONTACT_ID_INVALID');
  if (user.id === me.id || user.deleted) throw new RpcError(400, 'CONTACT_ID_INVALID');
  const firstName = (params['first_name'] as string).trim();
  if (firstName === '') throw new RpcError(400, 'CONTACT_NAME_EMPTY');
  saveContact(world, me, user.id, { firstName, lastName: (params['last_name'] as string).trim() });
  return changedContacts(caller, [user.id]);
};

const deleteContacts: Method = (params, caller) => {
  const ids = (params['id'] as TlObject[]).map((input) => inputUser(caller, input).id);
  forgetContacts(caller.world, caller.me, ids);
  return changedContacts(caller, ids);
};

/** The users under their new names, and what clients offer above the chats with them. */
function changedContacts(caller: Caller, ids: readonly number[]): TlObject {
  const { world, me } = caller;
  const peers = ids.map(userPeer);
  for (const peer of peers) pushSettings(caller, peer);
  const updates = peers.map((peer) => tlSettingsUpdate(caller, peer));
  return tlUpdates(world, updates, new MentionedPeers(world, me.id).add(...peers).lists());
}

const tlSettingsUpdate = ({ world, me }: Caller, peer: PeerRef): TlObject => ({
  _: 'updatePeerSettings',
  peer: tlPeer(peer),
  settings: tlPeerSettings(world, me.id, peer),
});

function pushSettings(caller: Caller, peer: PeerRef): void {
  const { world, me, call } = caller;
  pushEvent(world, me.id, tlSettingsUpdate(caller, peer), [peer], call.sessionId);
}

const getPeerSettings: Method = (params, caller) => {
  const { world, me } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  return {
    _: 'messages.peerSettings',
    settings: tlPeerSettings(world, me.id, peer),
    ...new MentionedPeers(world, me.id).add(peer).lists(),
  };
};

export const contactMethods: Record<string, Method> = {
  'contacts.resolveUsername': resolveUsername,
  'contacts.resolvePhone': resolvePhone,
  'contacts.getContacts': getContacts,
  'contacts.importContacts': importContacts,
  'contacts.addContact': addContact,
  'contacts.deleteContacts': deleteContacts,
  'messages.getPeerSettings': getPeerSettings,
};
