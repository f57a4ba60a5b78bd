import { RpcError, type TlObject } from '../../../rpc.ts';
import { sampleStickerSet, stickerSetHash, stickersOfSet } from '../../../world/files/stickers.ts';
import type { Method } from '../../method.ts';
import { tlDocument } from '../../objects/tl-file.ts';

/** @throws {RpcError} 406 STICKERSET_INVALID */
const getStickerSet: Method = (params, { world, me }) => {
  const input = params['stickerset'] as TlObject;
  const isById = input['id'] === sampleStickerSet.id && input['access_hash'] === stickerSetHash(world);
  const isByName =
    (input['short_name'] as string | undefined)?.toLowerCase() === sampleStickerSet.shortName.toLowerCase();
  if (!isById && !isByName) throw new RpcError(406, 'STICKERSET_INVALID');
  const stickers = stickersOfSet(world);
  // It changes with each sticker that is added: none is ever removed.
  const hash = stickers.length;
  if (params['hash'] === hash) return { _: 'messages.stickerSetNotModified' };
  const documents = stickers.map((file) => tlDocument(world, me.id, file));
  const { id, shortName: short_name, title } = sampleStickerSet;
  return {
    _: 'messages.stickerSet',
    set: { _: 'stickerSet', id, access_hash: stickerSetHash(world), title, short_name, count: documents.length, hash },
    packs: [{ _: 'stickerPack', emoticon: '🙂', documents: stickers.map((file) => BigInt(file.id)) }],
    keywords: [],
    documents,
  };
};

export const stickerSetMethods: Record<string, Method> = { 'messages.getStickerSet': getStickerSet };
