import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { KeptFileSchema } from './schemas.ts';

export const fileOperations: Readonly<Record<string, Operation>> = {
  'POST /file': {
    id: 'uploadFile',
    tag: 'Messages',
    summary: 'Upload a file to send it by its ID',
    description:
      'The body is the file, up to 2,097,152,000 bytes, of any content type, or a `multipart/form-data` form with one file, ' +
      'whatever the name of its field. The ID is what `file` of a media object takes, ' +
      'in this session, for an hour, any number of times. No file is kept across a restart of the gateway.',
    access: 'session',
    parameters: { name: 'What the recipient sees; left out, the name in the form, or `file`.' },
    uploads: true,
    response: {
      description: 'The file, with its ID.',
      schema: KeptFileSchema,
      example: {
        id: '0197f3a2-7c1e-7d20-8b6f-10d35e4472ab',
        size: 48_000,
        name: 'report.pdf',
        mimetype: 'application/pdf',
        expires: exampleTime,
      },
    },
    errors: [
      [400, 'file should not be empty', 'Not a single byte, or a form without a file.'],
      [400, 'body must be a form with one file', 'A form with more files than one, or one that is cut off.'],
      [408, 'request timeout', 'Nothing arrived for 30 s.'],
      [413, 'request body is too large', 'More than 2,097,152,000 bytes.'],
      [429, 'too many files of this session are kept', 'More than 4 GB; with Retry-After.'],
      [429, 'too many files of this session are under way', '8 uploads; with Retry-After.'],
      [503, 'too many files are kept', 'Of all sessions together, half of MEDIA_TEMP_BYTES; with Retry-After.'],
      [503, 'too many files are under way', 'Of all sessions together; with Retry-After.'],
      [503, 'there is no room for more files', 'The disk is nearly full; with Retry-After.'],
    ],
  },
};
