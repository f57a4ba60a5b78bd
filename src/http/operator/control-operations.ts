import { SessionIdResponse } from '../session/schemas.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { unchangedWhileAway } from '../shared/openapi/store-errors.ts';
import { RotatedSecret, SessionResetResponse, WebhookSwitch } from './schemas.ts';

export const ofSession: ErrorLine[] = [
  [404, 'session not found', 'No such session, another tenant’s, or it was deleted.'],
  [500, 'session not found', 'Stored but not yet active, for example right after a restart; with Retry-After.'],
  unchangedWhileAway,
];
const common = { tag: 'Operation', access: 'operator', parameters: { id: 'ID of the session.' } } as const;

/** What an operator does with a session (OS2). */
export const controlOperations: Readonly<Record<string, Operation>> = {
  'DELETE /sessions/:id': {
    ...common,
    id: 'deleteSessionById',
    summary: 'Delete a session, as its owner can',
    description: 'Logs out at Telegram and erases personal data.',
    response: { schema: SessionIdResponse, example: { id: exampleId } },
    errors: ofSession,
  },
  'POST /sessions/:id/reset': {
    ...common,
    id: 'resetSessionById',
    summary: 'Log out and show a fresh QR, as its owner can',
    description: 'Keeps id, sessionId, webhook and metadata. The QR is not in the response.',
    response: {
      schema: SessionResetResponse,
      example: { id: exampleId, state: 'qrPending', deadline: '2026-01-05T08:18:00.000Z' },
    },
    errors: ofSession,
  },
  'PUT /sessions/:id/webhook': {
    ...common,
    id: 'switchWebhook',
    summary: 'Turn the webhook of a session off, or set it',
    description: 'To set it, the key needs the scope `accounts` as well.',
    requests: {
      off: { url: '', token: '' },
      'with the scope accounts': { url: 'https://crm.example/telegram', token: 'whsec-of-mine' },
    },
    response: { schema: WebhookSwitch, example: { id: exampleId, hasWebhook: false } },
    errors: [[400, 'url and token must be both filled, or both empty to turn the webhook off', ''], ...ofSession],
  },
  'POST /sessions/:id/secret': {
    ...common,
    id: 'rotateSecret',
    summary: 'Give a session a new secret',
    description:
      'The `sessionId` from before opens nothing any more, and its streams are closed. The key needs the scope `accounts` as well.',
    response: {
      schema: RotatedSecret,
      example: { id: exampleId, sessionId: 'u7Jm1Qf0sW2bTn5xYk8ZpLr3Vd6HaCe9GiMoKqNtBvE' },
    },
    errors: ofSession,
  },
};
