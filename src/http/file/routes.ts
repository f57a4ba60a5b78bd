import { GatewayError } from '../../errors/gateway-error.ts';
import type { KeptFile, KeptFiles } from '../../media/uploads/kept-files.ts';
import { iso } from '../session/session-object.ts';
import type { App } from '../shared/app-types.ts';
import { maxTextLength } from '../shared/fields.ts';
import { beginUpload } from '../shared/upload-sockets.ts';
import { FileQuery } from './schemas.ts';

const unnamed = 'file';
const unknownType = 'application/octet-stream';

/** `POST /file` (MX1.12), inside the authentication of a session. The scope is its own: it takes every content type. */
export function fileRoutes(app: App, { uploads }: { uploads: KeptFiles }): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.post('/file', { schema: { querystring: FileQuery } }, async (request, reply) => {
    const { raw, headers, query } = request;
    const end = beginUpload(raw.socket);
    try {
      const length = headers['content-length'];
      const type = headers['content-type']?.trim().slice(0, maxTextLength);
      const incoming = {
        name: query.name || unnamed,
        mimetype: type || unknownType,
        announced: length === undefined ? undefined : Number(length),
      };
      return fileObject(await uploads.keep(request.view.id, incoming, raw));
    } catch (error) {
      // What is still to come is not read.
      reply.header('connection', 'close');
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
