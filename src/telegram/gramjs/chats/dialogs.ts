import { Api } from 'telegram/tl/index.js';
import type { KnownPeer } from '../../peer-cache.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeerOf, peerId } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';

/** Telegram's maximum for one answer. */
const sliceSize = 100;
/** 10,000 dialogs: more than a used account has. */
const maxSlices = 100;
/**
 * Every dialog is in one of two folders (https://core.telegram.org/api/folders#peer-folders): the list and the archive.
 */
const peerFolders = [0, 1];

type Ask = (request: Api.messages.GetDialogs) => Promise<Api.messages.TypeDialogs>;
type Offset = Pick<Api.messages.GetDialogs, 'offsetDate' | 'offsetId' | 'offsetPeer'>;
type Slice = Api.messages.Dialogs | Api.messages.DialogsSlice;

/**
 * Reads all dialogs of the account, archived ones included. The caller that sends the requests learns the peers in the
 * answers.
 * @returns the groups and channels among them, each once
 */
export async function loadDialogs(ask: Ask): Promise<Api.TypeChat[]> {
  const chats = new Map<string, Api.TypeChat>();
  for (const folderId of peerFolders) await loadFolder(ask, folderId, chats);
  return [...chats.values()];
}

async function loadFolder(ask: Ask, folderId: number, chats: Map<string, Api.TypeChat>): Promise<void> {
  const seen = new Set<string>();
  let offset: Offset | undefined = { offsetDate: 0, offsetId: 0, offsetPeer: new Api.InputPeerEmpty() };
  for (let slice = 0; slice < maxSlices && offset !== undefined; slice++) {
    const answer = await ask(new Api.messages.GetDialogs({ ...offset, folderId, limit: sliceSize, hash: long(0n) }));
    if (answer instanceof Api.messages.DialogsNotModified) return;
    const before = seen.size;
    for (const dialog of dialogsIn(answer)) seen.add(peerId(dialog.peer));
    for (const chat of answer.chats) {
      // Others are listed because of messages from them.
      const id = knownPeerOf(chat)?.id;
      if (id !== undefined && seen.has(id)) chats.set(id, chat);
    }
    // A slice holds pinned dialogs wherever their place is, so only a new dialog means that there may be more.
    if (!(answer instanceof Api.messages.DialogsSlice) || seen.size === before || seen.size >= answer.count) return;
    offset = offsetAfter(answer);
  }
}

/** The list shows the archive as one entry. */
function dialogsIn(slice: Slice): Api.Dialog[] {
  return slice.dialogs.filter((dialog): dialog is Api.Dialog => dialog instanceof Api.Dialog);
}

/**
 * Dialogs are ordered by their last message. The next slice begins after the last dialog of this slice that has one.
 */
export function offsetAfter(slice: Slice): Offset | undefined {
  const peers = new Map<string, KnownPeer>();
  for (const entity of [...slice.users, ...slice.chats]) {
    const peer = knownPeerOf(entity);
    if (peer !== undefined) peers.set(peer.id, peer);
  }
  for (const dialog of dialogsIn(slice).toReversed()) {
    const id = peerId(dialog.peer);
    const message = slice.messages.find(
      (candidate): candidate is Api.Message | Api.MessageService =>
        !(candidate instanceof Api.MessageEmpty) &&
        candidate.id === dialog.topMessage &&
        peerId(candidate.peerId) === id,
    );
    const peer = peers.get(id);
    if (message !== undefined && peer !== undefined) {
      return { offsetDate: message.date, offsetId: message.id, offsetPeer: inputPeer(peer) };
    }
  }
  return undefined;
}
