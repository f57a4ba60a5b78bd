import { idempotencyKey, mediaErrors } from '../message/operations.ts';
import { sendLimitError } from '../session/pace-errors.ts';
import { exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { allowanceHeaders } from '../shared/openapi/response-headers.ts';
import { PostedStatus } from './schemas.ts';

const url = 'https://files.example/a';

export const statusOperations: Readonly<Record<string, Operation>> = {
  'POST /status': {
    id: 'postStatus',
    tag: 'Messages',
    summary: 'Post a story',
    description: 'An image or a video, shown for `period` hours to those whom `privacy` names.',
    access: 'session',
    needs: 'connected',
    parameters: idempotencyKey,
    requests: {
      image: { type: 'image', text: 'Open until eight', image: { url, mimetype: 'image/jpeg' }, privacy: 'everyone' },
      video: { type: 'video', video: { url, mimetype: 'video/mp4', duration: 12 }, period: 48 },
    },
    response: {
      description: 'The story is posted.',
      schema: PostedStatus,
      example: { statusId: '12', created: exampleTime, expires: '2026-01-06T08:15:00.000Z' },
    },
    headers: allowanceHeaders,
    errors: [
      [400, 'type must be one of the following values: image, video', ''],
      [400, 'privacy must be one of the following values: contacts, everyone, close_friends', ''],
      [400, 'period must be one of the following values: 6, 12, 24, 48', ''],
      ...mediaErrors,
      sendLimitError,
    ],
  },
};
