import type { TlObject } from '../../rpc.ts';
import { dialogOf, dialogsOf, topMessage, unreadCount } from '../../world/dialogs.ts';
import { unreadReactions } from '../../world/reactions/give-reaction.ts';
import { pinnedDialogs } from '../../world/settings/dialog-settings.ts';
import { notifySettings } from '../../world/settings/notify-settings.ts';
import { channelPeer, chatPeer, type PeerRef, peerKey, samePeer, userPeer } from '../../world/state/peer.ts';
import { inputPeer } from '../input/input-peer.ts';
import type { Caller, Method } from '../method.ts';
import { MentionedPeers } from '../objects/mentioned-peers.ts';
import { tlMessage } from '../objects/tl-message.ts';
import { tlPeer } from '../objects/tl-peer.ts';
import { tlState } from '../objects/tl-state.ts';

/** Telegram answers with up to 100 dialogs. */
const maxDialogs = 100;

/** A client asks for the next page with the last dialog of the page before: https://core.telegram.org/api/offsets */
const getDialogs: Method = (params, caller) => {
  const { world, me } = caller;
  const folder = params['folder_id'] as number | undefined;
  // Without a folder ID Telegram answers with the dialogs of all folders.
  const shown = dialogsOf(world, me.id).filter(
    ({ peer }) => folder === undefined || (dialogOf(world, me.id, peer).archived ?? false) === (folder === 1),
  );
  // Pinned chats come first; with `exclude_pinned` the client gets them with messages.getPinnedDialogs.
  const rankOf = ({ peer }: { peer: PeerRef }): number => dialogOf(world, me.id, peer).pinned ?? 0;
  const pinned = params['exclude_pinned']
    ? []
    : shown.filter((each) => rankOf(each) > 0).toSorted((a, b) => rankOf(b) - rankOf(a));
  const all = [...pinned, ...shown.filter((each) => rankOf(each) === 0)];
  const offsetPeer = params['offset_peer'] as TlObject;
  let start = 0;
  if (offsetPeer._ !== 'inputPeerEmpty') {
    const last = placeOf(caller, offsetPeer);
    const index = all.findIndex(({ peer }) => samePeer(peer, last));
    start = index < 0 ? indexAfterOffset(all, params) : index + 1;
  } else if (params['offset_date']) start = indexAfterOffset(all, params);
  const limit = Math.min(Number(params['limit']) || maxDialogs, maxDialogs);
  const page = all.slice(start, start + limit).map(({ peer }) => peer);
  const lists = tlDialogs(caller, page);
  if (folder === 0 && start === 0) lists.dialogs.unshift(...tlArchive(caller));
  return start === 0 && page.length === all.length
    ? { ...lists, _: 'messages.dialogs' }
    : { ...lists, _: 'messages.dialogsSlice', count: all.length };
};

/** The peer of an offset. It only marks a place: Telegram takes it with any access hash, as official clients send it. */
function placeOf({ me }: Caller, input: TlObject): PeerRef {
  if (input['channel_id'] !== undefined) return channelPeer(Number(input['channel_id']));
  if (input['chat_id'] !== undefined) return chatPeer(Number(input['chat_id']));
  return userPeer(input._ === 'inputPeerSelf' ? me.id : Number(input['user_id']));
}

/** The entry of the archive in the main list, if the archive has chats. */
function tlArchive({ world, me }: Caller): TlObject[] {
  const archived = dialogsOf(world, me.id).filter(({ peer }) => dialogOf(world, me.id, peer).archived);
  const [newest] = archived;
  if (!newest) return [];
  const unread = archived.map(({ peer }) => unreadCount(world, me.id, peer));
  return [
    {
      _: 'dialogFolder',
      pinned: true,
      folder: { _: 'folder', id: 1, title: 'Archived chats' },
      peer: tlPeer(newest.peer),
      top_message: newest.top?.id ?? 0,
      unread_muted_peers_count: 0,
      unread_unmuted_peers_count: unread.filter((count) => count > 0).length,
      unread_muted_messages_count: 0,
      unread_unmuted_messages_count: unread.reduce((sum, count) => sum + count, 0),
    },
  ];
}

function indexAfterOffset(all: ReturnType<typeof dialogsOf>, params: TlObject): number {
  const index = all.findIndex(({ top }) => (top?.date ?? 0) < params['offset_date']);
  return index < 0 ? all.length : index;
}

const getPeerDialogs: Method = (params, caller) => {
  const peers = (params['peers'] as TlObject[])
    .filter(({ _: name }) => name === 'inputDialogPeer')
    .map((input) => inputPeer(caller, input['peer'] as TlObject));
  return { _: 'messages.peerDialogs', ...tlDialogs(caller, peers), state: tlState(caller) };
};

const getPinnedDialogs: Method = (params, caller) => ({
  _: 'messages.peerDialogs',
  ...tlDialogs(
    caller,
    pinnedDialogs(caller.world, caller.me.id, params['folder_id'] as number).map(({ peer }) => peer),
  ),
  state: tlState(caller),
});

function tlDialogs(
  caller: Caller,
  peers: readonly PeerRef[],
): Record<'dialogs' | 'messages' | 'users' | 'chats', TlObject[]> {
  const { world, me } = caller;
  const tops = peers.flatMap((peer) => topMessage(world, me.id, peer) ?? []);
  const mentioned = new MentionedPeers(world, me.id).add(...peers, userPeer(me.id)).addMessages(tops);
  return {
    dialogs: peers.map((peer) => tlDialog(caller, peer)),
    messages: tops.map((row) => tlMessage(world, me.id, row)),
    ...mentioned.lists(),
  };
}

/** A chat in the caller's list of chats. */
export function tlDialog({ world, me }: Caller, peer: PeerRef): TlObject {
  const dialog = dialogOf(world, me.id, peer);
  return {
    _: 'dialog',
    peer: tlPeer(peer),
    top_message: topMessage(world, me.id, peer)?.id ?? 0,
    read_inbox_max_id: dialog.readInbox,
    read_outbox_max_id: dialog.readOutbox,
    unread_count: unreadCount(world, me.id, peer),
    unread_reactions_count: unreadReactions(world, me.id, peer).length,
    notify_settings: notifySettings(world, me.id, { peer }),
    pinned: dialog.pinned !== undefined,
    unread_mark: dialog.unreadMark ?? false,
    folder_id: dialog.archived ? 1 : undefined,
    pts: peer.kind === 'channel' ? world.tables.box(peerKey(peer)).pts : undefined,
  };
}

export const dialogMethods: Record<string, Method> = {
  'messages.getDialogs': getDialogs,
  'messages.getPeerDialogs': getPeerDialogs,
  'messages.getPinnedDialogs': getPinnedDialogs,
  'messages.getDialogFilters': () => ({ _: 'messages.dialogFilters', filters: [{ _: 'dialogFilterDefault' }] }),
};
