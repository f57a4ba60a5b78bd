import { Api } from 'telegram/tl/index.js';
import { inputPeer } from './input-peer.ts';
import { knownPeerOf, peerId } from './met-peers.ts';
import { long } from './text-entities.ts';

/** As many as Telegram gives in one answer. */
const sliceSize = 100;
/** 10,000 dialogs: more than an account that is used as one has. */
const mostSlices = 100;

type Offset = Pick<Api.messages.GetDialogs, 'offsetDate' | 'offsetId' | 'offsetPeer'>;

/** Goes through all dialogs of the account; whoever sends the requests learns the peers in the answers. */
export async function loadDialogs(
  call: (request: Api.messages.GetDialogs) => Promise<Api.messages.TypeDialogs>,
): Promise<void> {
  let offset: Offset = {
    offsetDate: 0,
    offsetId: 0,
    offsetPeer: new Api.InputPeerEmpty(),
  };
  for (let slice = 0; slice < mostSlices; slice++) {
    const answer = await call(new Api.messages.GetDialogs({ ...offset, limit: sliceSize, hash: long(0n) }));
    if (!(answer instanceof Api.messages.DialogsSlice) || answer.dialogs.length < sliceSize) return;
    const next = offsetAfter(answer);
    if (next === undefined) return;
    offset = next;
  }
}

/** Dialogs are in order of their last message: the next slice begins after the last one of this slice that has one. */
function offsetAfter(slice: Api.messages.DialogsSlice): Offset | undefined {
  const entities = [...slice.users, ...slice.chats];
  for (const dialog of slice.dialogs.toReversed()) {
    const id = peerId(dialog.peer);
    const message = slice.messages.find(
      (candidate) =>
        !(candidate instanceof Api.MessageEmpty) &&
        candidate.id === dialog.topMessage &&
        peerId(candidate.peerId) === id,
    );
    const peer = entities.map(knownPeerOf).find((candidate) => candidate?.id === id);
    if (message !== undefined && !(message instanceof Api.MessageEmpty) && peer !== undefined) {
      return { offsetDate: message.date, offsetId: message.id, offsetPeer: inputPeer(peer) };
    }
  }
  return undefined;
}
