import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { OutgoingText } from '../../port/account.ts';
import type { Peer } from '../../port/peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { plainTextRequest } from './plain-text-request.ts';
import { messageFields, sendWithRandomId } from './send-once.ts';
import type { Sending } from './sending.ts';

/** Sends one text, once. @returns its message ID @throws {TelegramError} {@link NotConnectedError} */
export async function sendText(
  sending: Sending,
  to: Peer,
  message: OutgoingText,
  signal: LightAbortSignal,
): Promise<number> {
  const { text, entities, randomId, begunAt, replyTo, topic, silent } = message;
  const peer = knownPeer(sending.book, to);
  const isPlain = entities.length === 0 && replyTo === undefined && topic === undefined;
  const request = isPlain
    ? plainTextRequest(peer, text, randomId, silent === true)
    : new Api.messages.SendMessage(messageFields(sending, peer, message));
  const matches = (candidate: Api.Message): boolean => candidate.message.trim() === text.trim();
  return sendWithRandomId(sending, { peer, randomId, begunAt, request, matches }, signal);
}
