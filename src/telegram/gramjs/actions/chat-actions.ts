import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import type { ChatActions } from '../../port/chat-actions.ts';
import type { Peer } from '../../port/peer.ts';
import { unlessSo } from '../administration/unless-so.ts';
import { folders } from '../chats/folders.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputChannel, inputPeer } from '../peers/input-peer.ts';
import { isNumberedAlone, knownPeer } from '../peers/known-peer.ts';

/** Telegram's time until when a chat is silent, if it is for good: the highest that it takes, in seconds since 1970. */
const forGood = 2 ** 31 - 1;

/** What a connected account does to its chats. */
export class GramChatActions implements ChatActions {
  readonly #book: PeerCache;
  readonly #call: RpcCall;

  constructor({ book, call }: { book: PeerCache; call: RpcCall }) {
    this.#book = book;
    this.#call = call;
  }

  async read(peer: Peer, upTo: number | undefined, topic: number | undefined, signal: LightAbortSignal): Promise<void> {
    const known = knownPeer(this.#book, peer);
    const newest = await this.#newest(peer, signal);
    // No further than there are messages: the update about it says how far.
    const maxId = Math.min(upTo ?? newest, newest);
    if (maxId === 0) return;
    if (topic !== undefined) {
      const ofTopic = { peer: inputPeer(known), msgId: topic, readMaxId: maxId };
      await this.#call(new Api.messages.ReadDiscussion(ofTopic), signal);
      return;
    }
    const request = isNumberedAlone(known)
      ? new Api.channels.ReadHistory({ channel: inputChannel(known), maxId })
      : new Api.messages.ReadHistory({ peer: inputPeer(known), maxId });
    await this.#call<Api.channels.ReadHistory | Api.messages.ReadHistory>(request, signal);
  }

  async archive(peer: Peer, isArchived: boolean, signal: LightAbortSignal): Promise<void> {
    const folderId = isArchived ? folders.archive : folders.list;
    const moved = new Api.InputFolderPeer({ peer: this.#inputPeer(peer), folderId });
    await this.#call(new Api.folders.EditPeerFolders({ folderPeers: [moved] }), signal);
  }

  async mute(peer: Peer, isMuted: boolean, topic: number | undefined, signal: LightAbortSignal): Promise<void> {
    const settings = new Api.InputPeerNotifySettings({ muteUntil: isMuted ? forGood : 0 });
    const input = this.#inputPeer(peer);
    const of =
      topic === undefined
        ? new Api.InputNotifyPeer({ peer: input })
        : new Api.InputNotifyForumTopic({ peer: input, topMsgId: topic });
    await this.#call(new Api.account.UpdateNotifySettings({ peer: of, settings }), signal);
  }

  async pin(peer: Peer, isPinned: boolean, topic: number | undefined, signal: LightAbortSignal): Promise<void> {
    if (topic !== undefined) {
      const channel = inputChannel(knownPeer(this.#book, peer));
      const request = new Api.channels.UpdatePinnedForumTopic({ channel, topicId: topic, pinned: isPinned });
      await unlessSo(this.#call, request, signal);
      return;
    }
    const dialog = new Api.InputDialogPeer({ peer: this.#inputPeer(peer) });
    await this.#call(new Api.messages.ToggleDialogPin({ peer: dialog, ...(isPinned && { pinned: true }) }), signal);
  }

  /** The ID of the newest message of a chat; 0 if it has none. */
  async #newest(peer: Peer, signal: LightAbortSignal): Promise<number> {
    const peers = [new Api.InputDialogPeer({ peer: this.#inputPeer(peer) })];
    const answer = await this.#call(new Api.messages.GetPeerDialogs({ peers }), signal);
    return answer.dialogs[0]?.topMessage ?? 0;
  }

  #inputPeer(peer: Peer): Api.TypeInputPeer {
    return inputPeer(knownPeer(this.#book, peer));
  }
}
