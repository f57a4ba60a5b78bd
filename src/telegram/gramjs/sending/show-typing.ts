import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { ChatAction } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import { inputPeer } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { topMessageOf } from './reply-to.ts';
import type { Sending } from './sending.ts';

const actions: Readonly<Record<ChatAction, () => Api.TypeSendMessageAction>> = {
  typing: () => new Api.SendMessageTypingAction(),
  'recording-audio': () => new Api.SendMessageRecordAudioAction(),
  cancel: () => new Api.SendMessageCancelAction(),
};

/** Shows a typing indicator in a chat; the other apps hide it after some seconds. */
export async function showTyping(
  { book, call }: Pick<Sending, 'book' | 'call'>,
  to: Peer,
  action: ChatAction,
  topic: number | undefined,
  signal: LightAbortSignal,
): Promise<void> {
  const peer = inputPeer(knownPeer(book, to));
  const topMsgId = topMessageOf(topic);
  await call(
    new Api.messages.SetTyping({ peer, action: actions[action](), ...(topMsgId !== undefined && { topMsgId }) }),
    signal,
  );
}
