import { Type } from 'typebox';
import { shortText } from '../shared/fields.ts';
import { text, time } from '../shared/openapi/describe.ts';

/** `POST /file` (MX1.12). */
export const FileQuery = Type.Object({ name: Type.Optional(shortText) });

export const KeptFileSchema = Type.Object(
  {
    id: text('What `file` of a media object takes.'),
    size: Type.Integer({ description: 'Bytes.' }),
    name: Type.String(),
    mimetype: Type.String(),
    expires: time('Until when it can be sent.'),
  },
  { additionalProperties: false },
);
