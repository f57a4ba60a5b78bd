import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../../actors/ports/clock.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeptFile, KeptFiles } from '../../media/uploads/kept-files.ts';
import { iso } from '../session/session-object.ts';
import type { App } from '../shared/app-types.ts';
import { maxTextLength } from '../shared/fields.ts';
import { beginUpload } from '../shared/limits/upload-sockets.ts';
import { formLimits, keepFromForm } from './form.ts';
import { FileQuery } from './schemas.ts';

const unnamed = 'file';
const unknownType = 'application/octet-stream';

/** `POST /file` (MX1.12, MX1.19), inside the authentication of a session. The scope is its own: it takes every content type. */
export async function fileRoutes(app: App, { uploads, clock }: { uploads: KeptFiles; clock: Clock }): Promise<void> {
  app.removeAllContentTypeParsers();
  await app.register(multipart, formLimits);
  app.addContentTypeParser('*', (_request, _body, done) => done(null));

  const keepBody = (request: FastifyRequest, name: string | undefined): Promise<KeptFile> => {
    const { raw, headers, view } = request;
    const length = headers['content-length'];
    const type = headers['content-type']?.trim().slice(0, maxTextLength);
    const announced = length === undefined ? undefined : Number(length);
    return uploads.keep(view.id, { name: name || unnamed, mimetype: type || unknownType, announced }, raw);
  };

  const keepForm = (request: FastifyRequest, name: string | undefined): Promise<KeptFile> => {
    const { id } = request.view;
    return keepFromForm(request, clock, {
      keep: ({ filename, mimetype, file }: MultipartFile) => {
        const shown = name || filename?.slice(0, maxTextLength) || unnamed;
        return uploads.keep(
          id,
          { name: shown, mimetype: mimetype.slice(0, maxTextLength), announced: undefined },
          file,
        );
      },
      drop: (kept) => uploads.drop(id, kept.id),
    });
  };

  app.post('/file', { schema: { querystring: FileQuery }, config: { isUpload: true } }, async (request, reply) => {
    const { raw, query } = request;
    const end = beginUpload(raw.socket);
    try {
      return fileObject(await (request.isMultipart() ? keepForm : keepBody)(request, query.name));
    } catch (error) {
      // What is still to come is not read. Another node takes the answer first, then ends what it sends.
      if (request.hop === undefined) reply.header('connection', 'close');
      else raw.resume();
      throw raw.errored === null ? error : new GatewayError(499, 'the client has closed the request');
    } finally {
      end();
    }
  });
}

const fileObject = ({ id, size, name, mimetype, expires }: KeptFile): object => ({
  id,
  size,
  name,
  mimetype,
  expires: iso(expires),
});
