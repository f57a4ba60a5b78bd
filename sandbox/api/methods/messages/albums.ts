import { RpcError, type TlObject } from '../../../rpc.ts';
import { nextGroupedId, requireGroupable } from '../../../world/messages/albums.ts';
import { maxCaptionLength } from '../../../world/messages/rich-text.ts';
import { requireSendPermission } from '../../../world/messages/send-message.ts';
import { requireWritePermission } from '../../../world/messages/write-permissions.ts';
import { inputMedia } from '../../input/input-media.ts';
import { inputPeer } from '../../input/input-peer.ts';
import { inputReply } from '../../input/input-reply.ts';
import { inputText } from '../../input/input-text.ts';
import type { Method } from '../../method.ts';
import { tlMedia } from '../../objects/tl-message.ts';
import { requireRandomIds, sendAndAnswer, sentBefore } from './answer-sent.ts';

/** https://core.telegram.org/api/files#albums-grouped-media */
const maxAlbumItems = 10;

/** What an album may hold: files that Telegram has. Others are uploaded with `messages.uploadMedia` first. */
const albumMedia: ReadonlySet<string> = new Set(['inputMediaPhoto', 'inputMediaDocument']);

/** Stores a file without sending it: the answer names it for a later send. */
const uploadMedia: Method = async (params, caller) => {
  const { world, me } = caller;
  requireWritePermission(world, me.id, inputPeer(caller, params['peer'] as TlObject));
  return tlMedia(world, me.id, await inputMedia(caller, params['media'] as TlObject));
};

/** An album is sent whole or not at all: everything is checked before the first message is placed. */
const sendMultiMedia: Method = async (params, caller) => {
  const { world, me, login } = caller;
  const items = params['multi_media'] as TlObject[];
  if (items.length === 0) throw new RpcError(400, 'MEDIA_EMPTY');
  if (items.length > maxAlbumItems) throw new RpcError(400, 'MULTI_MEDIA_TOO_LONG');
  const randomIds = items.map((item) => item['random_id'] as bigint);
  requireRandomIds(randomIds);
  const texts = items.map((item) => inputText(caller, item['message'], item['entities']));
  if (texts.some(({ text }) => text.length > maxCaptionLength)) throw new RpcError(400, 'MEDIA_CAPTION_TOO_LONG');
  const before = sentBefore(caller, randomIds);
  if (before) return before;
  const peer = inputPeer(caller, params['peer'] as TlObject);
  requireSendPermission(world, me.id, peer, randomIds);
  const inputs = items.map((item) => item['media'] as TlObject);
  if (inputs.some(({ _: name }) => name === 'inputMediaEmpty')) throw new RpcError(400, 'MEDIA_EMPTY');
  if (inputs.some(({ _: name }) => !albumMedia.has(name))) throw new RpcError(400, 'MEDIA_INVALID');
  const media = await Promise.all(inputs.map(async (input) => inputMedia(caller, input)));
  requireGroupable(world, media);
  const groupedId = media.length > 1 ? nextGroupedId(world) : undefined;
  const common = {
    groupedId,
    sentBy: login.hash,
    ...inputReply(params),
    silent: params['silent'] as boolean | undefined,
    noForwards: params['noforwards'] as boolean | undefined,
  };
  const drafts = media.map((each, index) => ({
    ...common,
    text: texts[index]?.text ?? '',
    entities: texts[index]?.entities,
    media: each,
    randomId: randomIds[index],
  }));
  return sendAndAnswer(caller, peer, drafts, params['schedule_date'] as number | undefined);
};

export const albumMethods: Record<string, Method> = {
  'messages.uploadMedia': uploadMedia,
  'messages.sendMultiMedia': sendMultiMedia,
};
