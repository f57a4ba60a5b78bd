import type { Operation } from '../shared/openapi/operation.ts';

export const mediaOperations: Readonly<Record<string, Operation>> = {
  'GET /media/:platformId/:chatId/:messageId/:variant/:file': {
    id: 'getMedia',
    tag: 'Media',
    summary: 'A file of a chat',
    description: 'Responses contain complete links; `file` is `{signature}.{ext}`. HEAD works too.',
    access: 'anyone',
    parameters: {
      platformId: 'ID of the session that owns access to the media.',
      chatId: 'Chat ID holding the media.',
      messageId: 'Message ID. For profile photos, the photo ID.',
      variant: 'photo, thumb, file or profile; story-photo, story-thumb or story-file of a story.',
      file: 'Signature and file extension.',
      range: 'One byte range.',
    },
    response: { mediaType: '*/*', description: 'The whole file, with its ETag.' },
    headers: {
      200: ['etag', 'content-disposition'],
      206: ['etag', 'content-range', 'content-disposition'],
      304: ['etag'],
      416: ['content-range'],
    },
    further: { 206: 'The requested range, with Content-Range.', 304: 'If-None-Match has its ETag.' },
    errors: [
      [400, 'invalid id', 'The first part is not an ID.'],
      [404, 'media not found', 'Tampered link, or deleted message.'],
      [416, 'range not satisfiable', ''],
      [429, 'too many viewers of this link', 'More than 64 at a time; with Retry-After.'],
      [500, 'session not connected', 'Unless everything asked for is still cached.'],
      [503, 'telegram asked to wait 120s', 'With Retry-After.'],
      [503, 'telegram did not answer the media request in time', 'With Retry-After.'],
    ],
  },
};
