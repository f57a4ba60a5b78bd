import { RpcError, type TlObject } from '../../rpc.ts';
import { maxCaptionLength, maxTextLength, type RichText } from '../../world/messages/rich-text.ts';
import { requireSendPermission, sendMessage } from '../../world/messages/send-message.ts';
import { requirePollAllowed } from '../../world/polls/polls.ts';
import { isForLater } from '../../world/scheduled/scheduled-messages.ts';
import type { MediaRow } from '../../world/state/file-rows.ts';
import { inputMarkup } from '../input/input-markup.ts';
import { inputMedia } from '../input/input-media.ts';
import { inputPeer } from '../input/input-peer.ts';
import { inputReply } from '../input/input-reply.ts';
import { inputText } from '../input/input-text.ts';
import type { Caller, Method } from '../method.ts';
import { answerAsHelper } from '../push/answer-as-helper.ts';
import { pushUpdates } from '../push/push-updates.ts';
import { sendAndAnswer, sentBefore, tlSent, tlShortSent } from './messages/answer-sent.ts';

const sendMessageMethod: Method = (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text === '') throw new RpcError(400, 'MESSAGE_EMPTY');
  if (rich.text.length > maxTextLength) throw new RpcError(400, 'MESSAGE_TOO_LONG');
  return sentBefore(caller, [params['random_id']]) ?? send(params, caller, rich, undefined);
};

/** Permissions are checked before the media: an upload is processed only if it can be sent. */
const sendMediaMethod: Method = async (params, caller) => {
  const rich = inputText(caller, params['message'], params['entities']);
  if (rich.text.length > maxCaptionLength) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  const before = sentBefore(caller, [params['random_id']]);
  if (before) return before;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  requireSendPermission(caller.world, caller.me.id, peer, [params['random_id']]);
  const input = params['media'] as TlObject;
  if (input._ === 'inputMediaPoll') {
    requirePollAllowed(caller.world, caller.me.id, peer, input['poll'].public_voters === true);
  }
  return send(params, caller, rich, await inputMedia(caller, input));
};

function send(params: TlObject, caller: Caller, rich: RichText, media: MediaRow | undefined): TlObject {
  const { world, me, call, login } = caller;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  const draft = {
    ...rich,
    media,
    randomId: params['random_id'] as bigint,
    sentBy: login.hash,
    ...inputReply(params),
    silent: params['silent'] as boolean | undefined,
    noForwards: params['noforwards'] as boolean | undefined,
    markup: inputMarkup(caller, params['reply_markup'] as TlObject | undefined),
  };
  const scheduleDate = params['schedule_date'] as number | undefined;
  if (isForLater(world, scheduleDate)) return sendAndAnswer(caller, peer, [draft], scheduleDate);
  const sent = sendMessage(world, me.id, peer, draft);
  pushUpdates(world, sent.updates, call.sessionId);
  const isShort = peer.kind !== 'channel' && !media && !draft.markup;
  const answer = isShort ? tlShortSent(sent) : tlSent(caller, [sent]);
  answerAsHelper(world, me.id, peer, rich.text);
  return answer;
}

export const sendMethods: Record<string, Method> = {
  'messages.sendMessage': sendMessageMethod,
  'messages.sendMedia': sendMediaMethod,
};
