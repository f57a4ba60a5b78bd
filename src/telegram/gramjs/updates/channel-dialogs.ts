import { Api } from 'telegram/tl/index.js';
import type { ChannelBox } from '../../login/login-state.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import { loadDialogs } from '../chats/dialogs.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { peerId } from '../peers/peers-in-updates.ts';

/** Telegram's maximum for one request. */
const maxAtOnce = 100;

/** The supergroups and channels in the account's list, as they are now. */
export async function joinedChannels(
  ask: (request: Api.messages.GetDialogs) => Promise<Api.messages.TypeDialogs>,
): Promise<ChannelBox[]> {
  const boxes = new Map<string, ChannelBox>();
  await loadDialogs(async (request) => {
    const answer = await ask(request);
    if (!(answer instanceof Api.messages.DialogsNotModified)) {
      for (const box of boxesIn(answer.dialogs)) boxes.set(box.id, box);
    }
    return answer;
  });
  return [...boxes.values()];
}

/** These supergroups and channels, as they are now. */
export async function* channelDialogs(
  ask: (request: Api.messages.GetPeerDialogs) => Promise<Api.messages.PeerDialogs>,
  channels: readonly KnownPeer[],
): AsyncGenerator<ChannelBox> {
  for (let from = 0; from < channels.length; from += maxAtOnce) {
    const page = channels.slice(from, from + maxAtOnce);
    const peers = page.map((channel) => new Api.InputDialogPeer({ peer: inputPeer(channel) }));
    const { dialogs } = await ask(new Api.messages.GetPeerDialogs({ peers }));
    yield* boxesIn(dialogs);
  }
}

const boxesIn = (dialogs: readonly Api.TypeDialog[]): ChannelBox[] =>
  dialogs.flatMap((dialog) => {
    if (!(dialog instanceof Api.Dialog) || !(dialog.peer instanceof Api.PeerChannel) || !dialog.pts) return [];
    const { peer, pts, readInboxMaxId, readOutboxMaxId } = dialog;
    return [{ id: peerId(peer), pts, readInbox: readInboxMaxId, readOutbox: readOutboxMaxId }];
  });

/** The stored positions, and those of the record that are later. */
export function laterBoxes(
  stored: readonly ChannelBox[],
  recorded: ReadonlyMap<string, number>,
): Map<string, ChannelBox> {
  const boxes = new Map(stored.map((box) => [box.id, { ...box }]));
  for (const [id, pts] of recorded) {
    const box = boxes.get(id) ?? { id, pts, readInbox: 0, readOutbox: 0 };
    box.pts = Math.max(box.pts, pts);
    boxes.set(id, box);
  }
  return boxes;
}
