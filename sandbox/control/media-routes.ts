import { Readable } from 'node:stream';
import { Type } from 'typebox';
import { chunksOf, contentSize, variantOf } from '../world/files/file-content.ts';
import type { FileContent, FileRow, MediaRow } from '../world/state/file-rows.ts';
import { boxOf, peerKey } from '../world/state/peer.ts';
import type { World } from '../world/world.ts';
import type { ControlApp, ControlDeps } from './control-app.ts';
import { ControlError } from './control-error.ts';
import { resolveAccount, resolvePeer } from './resolve-peer.ts';

const Message = Type.Object({ userId: Type.String(), peer: Type.String(), messageId: Type.Integer({ minimum: 1 }) });
/** `thumbnail` or the size letter of a photo. If left out: the document, or the largest size of the photo. */
const FileQuery = Type.Object({ size: Type.Optional(Type.String({ maxLength: 16 })) });

/** The bytes of the files in messages. */
export function mediaRoutes(app: ControlApp, { world }: ControlDeps): void {
  app.get(
    '/accounts/:userId/messages/:peer/:messageId/file',
    { schema: { params: Message, querystring: FileQuery } },
    async ({ params, query }, reply) => {
      const user = resolveAccount(world, params.userId);
      const peer = resolvePeer(world, params.peer);
      const message = world.tables.message(boxOf(user.id, peer), params.messageId);
      if (!message || peerKey(message.peer) !== peerKey(peer)) throw new ControlError(404, 'message not found');
      return reply.send(fileResponse(world, message.media, query.size));
    },
  );
}

/** A response with a whole file. @throws {ControlError} 404 */
export function fileResponse(world: World, media: MediaRow | undefined, size: string | undefined): Response {
  const file = media && 'file' in media ? world.tables.files.get(media.file) : undefined;
  const found = file && selectContent(file, size);
  if (!file || !found) throw new ControlError(404, 'file not found');
  const { type, content } = found;
  const headers = {
    'content-type': type === '' ? file.mime : (variantOf(file, type)?.mime ?? 'image/jpeg'),
    'content-length': String(contentSize(content)),
    // Files come from clients: a browser must neither guess their type nor run scripts in them.
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  };
  return new Response(Readable.toWeb(Readable.from(chunksOf(world, file, type, content))) as ReadableStream, {
    headers,
  });
}

function selectContent(file: FileRow, size: string | undefined): { type: string; content: FileContent } | undefined {
  if (file.kind === 'document' && size === undefined) return file.content && { type: '', content: file.content };
  const preview = file.kind === 'document' ? file.sizes.at(-1) : file.sizes.find(({ type }) => type === 'm');
  const named = size === 'thumbnail' ? preview : variantOf(file, size ?? '');
  return size === undefined ? file.sizes.at(-1) : named;
}
