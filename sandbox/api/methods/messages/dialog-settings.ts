import { RpcError, type TlObject } from '../../../rpc.ts';
import { dialogOf } from '../../../world/dialogs.ts';
import {
  folderOf,
  markedUnread,
  markUnread,
  moveToFolder,
  pinDialog,
  reorderPinned,
} from '../../../world/settings/dialog-settings.ts';
import type { PeerRef } from '../../../world/state/peer.ts';
import { inputPeer } from '../../input/input-peer.ts';
import type { Caller, Method } from '../../method.ts';
import { MentionedPeers } from '../../objects/mentioned-peers.ts';
import { tlPeer } from '../../objects/tl-peer.ts';
import { tlUpdate, tlUpdates } from '../../objects/tl-update.ts';
import { pushEvent } from '../../push/push-event.ts';
import { pushUpdates } from '../../push/push-updates.ts';

const tlDialogPeer = (peer: PeerRef): TlObject => ({ _: 'dialogPeer', peer: tlPeer(peer) });

/** @throws {RpcError} 400 PEER_ID_INVALID, also for a folder, which cannot be pinned or marked here */
function dialogPeer(caller: Caller, input: TlObject): PeerRef {
  if (input._ !== 'inputDialogPeer') throw new RpcError(400, 'PEER_ID_INVALID');
  return inputPeer(caller, input['peer'] as TlObject);
}

const toggleDialogPin: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = dialogPeer(caller, params['peer'] as TlObject);
  const pinned = params['pinned'] === true;
  const folder_id = folderOf(pinDialog(world, me.id, peer, pinned)) || undefined;
  const update = { _: 'updateDialogPinned', pinned, folder_id, peer: tlDialogPeer(peer) };
  pushEvent(world, me.id, update, [peer], call.sessionId);
  return true;
};

const reorderPinnedDialogs: Method = (params, caller) => {
  const { world, me, call } = caller;
  const folder = params['folder_id'] as number;
  const order = (params['order'] as TlObject[]).map((input) => dialogPeer(caller, input));
  if (order.some((peer) => folderOf(dialogOf(world, me.id, peer)) !== folder)) {
    throw new RpcError(400, 'PEER_ID_INVALID');
  }
  reorderPinned(world, me.id, folder, order, params['force'] === true);
  const update = { _: 'updatePinnedDialogs', folder_id: folder || undefined, order: order.map(tlDialogPeer) };
  pushEvent(world, me.id, update, order, call.sessionId);
  return true;
};

const markDialogUnread: Method = (params, caller) => {
  const { world, me, call } = caller;
  const peer = dialogPeer(caller, params['peer'] as TlObject);
  const unread = params['unread'] === true;
  markUnread(world, me.id, peer, unread);
  const update = { _: 'updateDialogUnreadMark', unread, peer: tlDialogPeer(peer) };
  pushEvent(world, me.id, update, [peer], call.sessionId);
  return true;
};

const getDialogUnreadMarks: Method = (_params, { world, me }) => markedUnread(world, me.id).map(tlDialogPeer);

const editPeerFolders: Method = (params, caller) => {
  const { world, me, call } = caller;
  const moves = (params['folder_peers'] as TlObject[]).map((input) => ({
    peer: inputPeer(caller, input['peer'] as TlObject),
    folder: input['folder_id'] as number,
  }));
  if (moves.some(({ folder }) => folder !== 0 && folder !== 1)) throw new RpcError(400, 'FOLDER_ID_INVALID');
  const rows = moves.flatMap(({ peer, folder }) => moveToFolder(world, me.id, peer, folder));
  pushUpdates(world, rows, call.sessionId);
  return tlUpdates(
    world,
    rows.flatMap((row) => tlUpdate(world, me.id, row) ?? []),
    new MentionedPeers(world, me.id).add(...moves.map(({ peer }) => peer)).lists(),
  );
};

export const dialogSettingMethods: Record<string, Method> = {
  'messages.toggleDialogPin': toggleDialogPin,
  'messages.reorderPinnedDialogs': reorderPinnedDialogs,
  'messages.markDialogUnread': markDialogUnread,
  'messages.getDialogUnreadMarks': getDialogUnreadMarks,
  'folders.editPeerFolders': editPeerFolders,
};
