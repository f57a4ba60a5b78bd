import { Api } from 'telegram/tl/index.js';
import type { KnownPeer } from '../../peer-cache.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeerOf, peerId } from '../peers/peers-in-updates.ts';
import { long } from '../peers/text-entities.ts';

/** As many as Telegram gives in one answer. */
const sliceSize = 100;
/** 10,000 dialogs: more than an account that is used as one has. */
const mostSlices = 100;
/** Every dialog is in one of the two (https://core.telegram.org/api/folders#peer-folders): the list, the archive. */
const peerFolders = [0, 1];

type Ask = (request: Api.messages.GetDialogs) => Promise<Api.messages.TypeDialogs>;
type Offset = Pick<Api.messages.GetDialogs, 'offsetDate' | 'offsetId' | 'offsetPeer'>;
type Slice = Api.messages.Dialogs | Api.messages.DialogsSlice;

/**
 * Goes through all dialogs of the account, archived ones too; whoever sends the requests learns the peers in the answers.
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
  for (let slice = 0; slice < mostSlices && offset !== undefined; slice++) {
    const answer = await ask(new Api.messages.GetDialogs({ ...offset, folderId, limit: sliceSize, hash: long(0n) }));
    if (answer instanceof Api.messages.DialogsNotModified) return;
    const before = seen.size;
    for (const dialog of dialogsIn(answer)) seen.add(peerId(dialog.peer));
    for (const chat of answer.chats) {
      // Others are there because messages came from them.
      const id = knownPeerOf(chat)?.id;
      if (id !== undefined && seen.has(id)) chats.set(id, chat);
    }
    // Pinned dialogs are part of a slice, wherever their place would be: only what is new says that there may be more.
    if (!(answer instanceof Api.messages.DialogsSlice) || seen.size === before || seen.size >= answer.count) return;
    offset = offsetAfter(answer);
  }
}

/** The archive as a whole is shown among the dialogs of the list. */
function dialogsIn(slice: Slice): Api.Dialog[] {
  return slice.dialogs.filter((dialog): dialog is Api.Dialog => dialog instanceof Api.Dialog);
}

/** Dialogs are in order of their last message: the next slice begins after the last one of this slice that has one. */
function offsetAfter(slice: Slice): Offset | undefined {
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
