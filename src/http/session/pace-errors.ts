import type { ErrorLine } from '../shared/openapi/errors.ts';

/** Of every endpoint whose messages and stories a key's limit counts (KY3). */
export const sendLimitError: ErrorLine = [
  429,
  'limit of 5000 sends per day reached',
  'If the key, or that of the session, has a limit; with Retry-After.',
];

/** Of every endpoint that sends messages (OS7, KY3). */
export const paceErrors: readonly ErrorLine[] = [
  [
    429,
    'the next turn of this account’s pace is in 300 seconds',
    'If the session has a pace: more than 240 s; with Retry-After.',
  ],
  sendLimitError,
  [400, 'the pace allows 5 messages a minute: these are 10', 'An album, or messages forwarded at once.'],
];
