import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TelegramError } from '../../port/errors.ts';
import type { SentByMethod } from '../../port/raw.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { long } from '../peers/text-entities.ts';

/** The parameter that says how many messages a method sends; undefined: it sends one. */
const countOf: Readonly<Record<string, string | undefined>> = {
  'messages.SendMessage': undefined,
  'messages.SendMedia': undefined,
  'messages.SendMultiMedia': 'multiMedia',
  'messages.ForwardMessages': 'id',
  'messages.SendInlineBotResult': undefined,
  'messages.SendScheduledMessages': 'id',
  'messages.SendQuickReplyMessages': 'id',
  'messages.SendScreenshotNotification': undefined,
  'messages.SendWebViewResultMessage': undefined,
  'messages.SendWebViewData': undefined,
  'messages.SendBotRequestedPeer': undefined,
  'messages.SendEncrypted': undefined,
  'messages.SendEncryptedFile': undefined,
  'messages.SendEncryptedService': undefined,
  'messages.StartBot': undefined,
};

/** The methods that send messages, as the library names them. */
export const sendingMethods: readonly string[] = Object.keys(countOf);

/** Service messages, as that a contact joined Telegram, make no chat: some of the newest are looked at. */
const newest = {
  limit: 20,
  offsetId: 0,
  offsetDate: 0,
  addOffset: 0,
  maxId: 0,
  minId: 0,
  hash: long(0n),
};

/** The messages that a request sends (OS7); undefined if it sends none. */
export function sentBy(call: RpcCall, request: object): SentByMethod | undefined {
  const { className } = request as { className: string };
  if (!Object.hasOwn(countOf, className)) return undefined;
  const fields = request as Record<string, unknown>;
  const several = fields[countOf[className] ?? ''];
  const messages = Array.isArray(several) ? Math.max(1, several.length) : 1;
  const peer = fields['toPeer'] ?? fields['peer'];
  const id = chatId(peer);
  if (id === undefined) return { messages };
  return { messages, chat: { id, isNew: (signal) => hasNoMessages(call, peer as Api.TypeInputPeer, signal) } };
}

/** As the interface writes it. Undefined if it is no chat that could be new: the account itself, a secret chat. */
function chatId(peer: unknown): string | undefined {
  if (peer instanceof Api.InputPeerUser || peer instanceof Api.InputPeerUserFromMessage) return peer.userId.toString();
  if (peer instanceof Api.InputPeerChat) return `-${peer.chatId.toString()}`;
  if (peer instanceof Api.InputPeerChannel || peer instanceof Api.InputPeerChannelFromMessage)
    return `-100${peer.channelId.toString()}`;
  return undefined;
}

async function hasNoMessages(call: RpcCall, peer: Api.TypeInputPeer, signal: LightAbortSignal): Promise<boolean> {
  try {
    const history = await call(new Api.messages.GetHistory({ ...newest, peer }), signal);
    return !('messages' in history) || !history.messages.some((message) => message instanceof Api.Message);
  } catch (error) {
    // Telegram refuses the send, too, or a bot, which may not read a chat and cannot be the first to write.
    if (error instanceof TelegramError && error.code === 400) return false;
    throw error;
  }
}
