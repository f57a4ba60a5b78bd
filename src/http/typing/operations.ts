import { recipientErrors } from '../message/operations.ts';
import { SessionIdResponse } from '../session/schemas.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';

export const typingOperations: Readonly<Record<string, Operation>> = {
  'POST /typing': {
    id: 'showTyping',
    tag: 'Messages',
    summary: 'Show that the account is typing or recording audio',
    description: 'For 5 seconds.',
    access: 'session',
    needs: 'connected',
    requests: { typing: { username: 'bob' }, recording: { user: '1002', type: 'audio' } },
    response: { description: 'The indicator is shown.', schema: SessionIdResponse, example: { id: exampleId } },
    errors: [[400, 'invalid phone, username, user or group', 'No receiver.'], ...recipientErrors],
  },
};
