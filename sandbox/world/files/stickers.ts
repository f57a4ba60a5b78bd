import type { FileRow } from '../state/file-rows.ts';
import type { World } from '../world.ts';

/** The one sticker set there is. Sample stickers are of it; the pages of Telegram's own sets have such names. */
export const sampleStickerSet = { id: 773_947_703_670_341_676n, shortName: 'SandboxStickers', title: 'Sandbox' };

/** A set has up to 120 stickers (https://core.telegram.org/stickers#sticker-packs). */
const maxStickers = 120;

/** The stickers of the set, oldest first. */
export function stickersOfSet(world: World): FileRow[] {
  const stickers: FileRow[] = [];
  for (const file of world.tables.files.values()) {
    const sticker = file.attributes?.find(({ _: name }) => name === 'documentAttributeSticker');
    if (sticker?.['stickerset'].id === sampleStickerSet.id) stickers.push(file);
    if (stickers.length === maxStickers) break;
  }
  return stickers;
}

/** The set's access hash; the same for all users, as stickers name it. */
export const stickerSetHash = (world: World): bigint => world.derive('sticker set').readBigInt64LE() | 1n;
