import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TelegramError } from '../../port/errors.ts';
import type { BeginSend, OutgoingMedia } from '../../port/outgoing.ts';
import type { Peer } from '../../port/peer.ts';
import type { OutgoingMessage } from '../../port/text.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { carries } from './carries.ts';
import { inputMedia } from './input-media.ts';
import { messageFields, sendWithRandomId } from './send-once.ts';
import type { Sending } from './sending.ts';

/**
 * Telegram lost parts of the uploaded file, or all of it (https://core.telegram.org/api/files#uploading-files), or what
 * it stored of it for an album has expired (https://core.telegram.org/api/file_reference).
 */
const fileLost = /^(?:FILE_PART(?:_(?:\d+_)?MISSING|S_INVALID)|FILE_REFERENCE_(?:\d+_)?EXPIRED)$/;

/**
 * Sends one message with media, once. The send begins when its files are at Telegram; an earlier failure is no send. A
 * file that Telegram lost meanwhile is uploaded again, with the same random ID.
 * @returns its message ID
 * @throws {TelegramError} {@link NotConnectedError} reading the file failed
 */
export async function sendMedia(
  sending: Sending,
  to: Peer,
  media: OutgoingMedia,
  caption: OutgoingMessage,
  begin: BeginSend,
  signal: LightAbortSignal,
): Promise<number> {
  const peer = knownPeer(sending.book, to);
  const send = async (): Promise<number> => {
    const uploaded = await inputMedia(media, (file) => sending.upload(file, signal));
    const mark = await begin();
    const request = new Api.messages.SendMedia({
      ...messageFields(sending, peer, { ...caption, ...mark }),
      media: uploaded,
    });
    const matches = (candidate: Api.Message): boolean =>
      candidate.message.trim() === caption.text.trim() && carries(candidate, media);
    return sendWithRandomId(sending, { ...mark, peer, request, matches }, signal);
  };
  return againIfLost(send);
}

/** Repeats a send, once, whose files Telegram has lost since they were uploaded. */
export async function againIfLost<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof TelegramError && fileLost.test(error.errorName))) throw error;
    return send();
  }
}
