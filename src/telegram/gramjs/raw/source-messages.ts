import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { WrongParametersError } from '../../port/raw.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { isOfService } from './service-messages.ts';

/** Telegram's maximum for one request. */
const pageSize = 100;

/** The messages that a request copies, or whose text its answer has. */
interface Sources {
  peer: unknown;
  ids: readonly number[];
  /** The parameter that names them. */
  field: string;
}

/**
 * Refuses what would copy, translate or transcribe messages of Telegram's own accounts, which send login codes: nothing in
 * the result says whose they were. The messages are looked up, for the chat that a request names with their IDs may be
 * another one: private chats share one numbering.
 * @throws {WrongParametersError} {@link TelegramError} {@link NotConnectedError}
 */
export async function requireOtherSources(call: RpcCall, request: object, signal: LightAbortSignal): Promise<void> {
  const sources = sourcesOf(request);
  if (sources === undefined) return;
  const { peer, ids, field } = sources;
  for (let start = 0; start < ids.length; start += pageSize) {
    const answer = await call(lookUp(peer, ids.slice(start, start + pageSize)), signal);
    const messages = 'messages' in answer ? answer.messages : [];
    if (messages.some(isOfService))
      throw new WrongParametersError([`params.${field} must not name messages of Telegram's own accounts`]);
  }
}

function sourcesOf(request: object): Sources | undefined {
  if (request instanceof Api.messages.ForwardMessages) return { peer: request.fromPeer, ids: request.id, field: 'id' };
  if (request instanceof Api.messages.TranslateText) return { peer: request.peer, ids: request.id ?? [], field: 'id' };
  if (request instanceof Api.messages.TranscribeAudio)
    return { peer: request.peer, ids: [Number(request.msgId)], field: 'msg_id' };
  return undefined;
}

function lookUp(peer: unknown, ids: readonly number[]): Api.channels.GetMessages | Api.messages.GetMessages {
  const id = ids.map((one) => new Api.InputMessageID({ id: one }));
  if (peer instanceof Api.InputPeerChannel)
    return new Api.channels.GetMessages({ channel: new Api.InputChannel(peer), id });
  if (peer instanceof Api.InputPeerChannelFromMessage)
    return new Api.channels.GetMessages({ channel: new Api.InputChannelFromMessage(peer), id });
  return new Api.messages.GetMessages({ id });
}
