import { type Static, Type } from 'typebox';
import { sampleMedia } from '../world/files/sample-media.ts';
import { mediaKinds } from '../world/files/sample-options.ts';
import { storePhoto } from '../world/files/store-photo.ts';
import type { MediaRow } from '../world/state/file-rows.ts';
import type { World } from '../world/world.ts';
import { ControlError } from './control-error.ts';

const optionalText = Type.Optional(Type.String({ maxLength: 4_096 }));
const optionalNumber = Type.Optional(Type.Number());
const side = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 }));

export const Media = Type.Object({
  kind: Type.Union(mediaKinds.map((kind) => Type.Literal(kind))),
  /** Base64. If left out, the sandbox makes the file itself. */
  content: Type.Optional(Type.String()),
  size: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_000_000_000 })),
  name: optionalText,
  mime: optionalText,
  width: side,
  height: side,
  duration: optionalNumber,
  latitude: optionalNumber,
  longitude: optionalNumber,
  title: optionalText,
  address: optionalText,
  phone: optionalText,
  url: optionalText,
  question: optionalText,
  options: Type.Optional(Type.Array(Type.String(), { minItems: 2, maxItems: 10 })),
  emoji: optionalText,
  value: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
  dc: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
});

/** @throws {ControlError} 400 if `content` is not base64. @throws {RpcError} 400 if it is not a valid photo */
export async function makeMedia(world: World, dc: number, media: Static<typeof Media>): Promise<MediaRow> {
  const { kind, content, ...options } = media;
  const date = world.now();
  const bytes = content === undefined ? undefined : Buffer.from(content.replace(/^data:[^,]*,/, ''), 'base64');
  if (bytes?.length === 0) throw new ControlError(400, 'media.content must be base64');
  if (kind === 'photo' && bytes) {
    return { kind: 'photo', file: (await storePhoto(world, { dc: media.dc ?? dc, bytes, date })).id };
  }
  const seed = (world.tables.meta.get('lastFileId')?.value ?? 0) % 100_000;
  return sampleMedia(world, kind, { ...options, dc: media.dc ?? dc, date, seed, bytes });
}
