import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { KnownPeer } from '../../peer-cache.ts';
import type { ChatAction } from '../../port/outgoing.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { inputPeer } from '../peers/input-peer.ts';

const actions: Readonly<Record<ChatAction, () => Api.TypeSendMessageAction>> = {
  typing: () => new Api.SendMessageTypingAction(),
  'recording-audio': () => new Api.SendMessageRecordAudioAction(),
  cancel: () => new Api.SendMessageCancelAction(),
};

/** Shows a typing indicator in a chat; the other apps hide it after some seconds. */
export async function showTyping(
  call: RpcCall,
  peer: KnownPeer,
  action: ChatAction,
  signal: LightAbortSignal,
): Promise<void> {
  await call(new Api.messages.SetTyping({ peer: inputPeer(peer), action: actions[action]() }), signal);
}
