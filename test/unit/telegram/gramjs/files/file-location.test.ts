import bigInt from 'big-integer';
import { Api } from 'telegram';
import { describe, expect, it } from 'vitest';
import { fileIn } from '../../../../../src/telegram/gramjs/files/file-location.ts';

const identity = { id: bigInt(7), accessHash: bigInt(5), fileReference: Buffer.from('ref') };
const size = (type: string, w: number, h: number, bytes = w): Api.PhotoSize =>
  new Api.PhotoSize({ type, w, h, size: bytes });
const cached = (type: string, w: number, h: number): Api.PhotoCachedSize =>
  new Api.PhotoCachedSize({ type, w, h, bytes: Buffer.alloc(9) });
const progressive = new Api.PhotoSizeProgressive({ type: 'y', w: 1280, h: 960, sizes: [10, 30, 20] });
const stripped = new Api.PhotoStrippedSize({ type: 'i', bytes: Buffer.alloc(9) });
const sizes = [stripped, size('s', 90, 67), size('x', 800, 600), progressive, size('m', 320, 240)];
const messageWith = (media: Api.TypeMessageMedia): Api.Message =>
  new Api.Message({ id: 1, date: 1, message: '', peerId: new Api.PeerUser({ userId: bigInt(7) }), media });
const photoWith = (...of: Api.TypePhotoSize[]): Api.Message =>
  messageWith(new Api.MessageMediaPhoto({ photo: new Api.Photo({ ...identity, date: 1, sizes: of, dcId: 4 }) }));
const documentWith = (
  mimeType: string,
  attributes: Api.TypeDocumentAttribute[],
  thumbs?: Api.TypePhotoSize[],
): Api.Message => {
  const fields = { ...identity, date: 1, mimeType, size: bigInt(1234), dcId: 2, attributes };
  return messageWith(
    new Api.MessageMediaDocument({ document: new Api.Document({ ...fields, ...(thumbs && { thumbs }) }) }),
  );
};
const named = new Api.DocumentAttributeFilename({ fileName: 'a.mp4' });
const sticker = new Api.DocumentAttributeSticker({ alt: '', stickerset: new Api.InputStickerSetEmpty() });
const thumbs = [size('s', 90, 67), size('m', 320, 240, 777), size('x', 800, 600)];

describe('[ME5.2] the file of a link', () => {
  it('to a photo is its largest size', () => {
    expect(fileIn(photoWith(...sizes), 'photo')).toMatchObject({
      id: 'p7_y',
      dc: 4,
      size: 30,
      mimetype: 'image/jpeg',
      name: '',
      location: { className: 'InputPhotoFileLocation', ...identity, thumbSize: 'y' },
    });
  });

  it('to the preview of a photo is the size nearest to 800 px', () => {
    expect(fileIn(photoWith(...sizes), 'thumb')).toMatchObject({ id: 'p7_x', size: 800 });
    expect(fileIn(photoWith(size('a', 600, 790), size('b', 820, 10)), 'thumb')).toMatchObject({ id: 'p7_a' });
    expect(fileIn(photoWith(size('b', 820, 10), size('a', 600, 790)), 'thumb')).toMatchObject({ id: 'p7_a' });
  });

  it('is one that can be fetched, not what is inside the message', () => {
    expect(fileIn(photoWith(stripped), 'photo')).toBeUndefined();
    expect(fileIn(photoWith(stripped, cached('c', 9, 9)), 'photo')).toMatchObject({ id: 'p7_c', size: 9 });
  });

  it('to a file is the file, with its name and type', () => {
    const video = [new Api.DocumentAttributeAnimated(), named];
    expect(fileIn(documentWith('video/mp4', video), 'file')).toMatchObject({
      id: 'd7',
      dc: 2,
      size: 1234,
      mimetype: 'video/mp4',
      name: 'a.mp4',
      location: { className: 'InputDocumentFileLocation', ...identity, thumbSize: '' },
    });
    expect(fileIn(documentWith('video/mp4', []), 'file')).toMatchObject({ name: '' });
  });

  it('to the preview of a file is the thumbnail nearest to 320 px', () => {
    expect(fileIn(documentWith('video/mp4', [], thumbs), 'thumb')).toMatchObject({
      id: 'd7_m',
      dc: 2,
      size: 777,
      mimetype: undefined,
      name: '',
      location: { className: 'InputDocumentFileLocation', ...identity, thumbSize: 'm' },
    });
    expect(fileIn(documentWith('video/mp4', []), 'thumb')).toBeUndefined();
  });

  it('to an animated sticker is its thumbnail, to a static one the file', () => {
    expect(fileIn(documentWith('application/x-tgsticker', [named, sticker], thumbs), 'file')).toMatchObject({
      id: 'd7_m',
    });
    expect(fileIn(documentWith('image/webp', [sticker], thumbs), 'file')).toMatchObject({ id: 'd7' });
    expect(fileIn(documentWith('application/x-tgsticker', [named], thumbs), 'file')).toMatchObject({ id: 'd7' });
  });

  it('is none of another kind: a file of a photo, a photo of a file', () => {
    expect(fileIn(photoWith(...sizes), 'file')).toBeUndefined();
    expect(fileIn(documentWith('video/mp4', [], thumbs), 'photo')).toBeUndefined();
  });

  it('is none without one', () => {
    const gone = [new Api.MessageMediaPhoto({}), new Api.MessageMediaDocument({}), new Api.MessageMediaUnsupported()];
    for (const media of gone) {
      for (const variant of ['photo', 'file', 'thumb'] as const) {
        expect(fileIn(messageWith(media), variant)).toBeUndefined();
      }
    }
  });
});
