/** An error response: status, the exact message (`…` for variable parts), and its cause. */
export type ErrorLine = readonly [status: number, message: string, when: string];

const everywhere: ErrorLine[] = [
  [503, 'service is shutting down', 'With Retry-After.'],
  [403, 'host not allowed', 'Without an API key: the Host header names neither this machine nor PUBLIC_URL.'],
  [403, 'origin not allowed', 'Without an API key: a page of another site asks for a change or a WebSocket.'],
];

const always: ErrorLine[] = [
  ...everywhere,
  [503, 'service is starting', 'The views are not up to date yet; with Retry-After.'],
  [503, 'service overloaded', 'With Retry-After.'],
  [500, 'internal server error', 'A defect of the service.'],
];

const withBody: ErrorLine[] = [
  [400, 'body must be valid JSON', ''],
  [413, 'request body is too large', 'More than 256 KB; with files or a picture in them, 13.6 MB.'],
  [415, 'content type must be application/json', ''],
];

const nodeIsLost: ErrorLine = [
  500,
  'the node of the session went away before it answered',
  'Among several gateways; with Retry-After.',
];

const ofSession: ErrorLine[] = [
  [400, 'invalid header', 'id is missing, or session-id, and there is no key instead of it.'],
  [404, 'session not found', 'Wrong id or session-id, another tenant’s session, or it was deleted.'],
  [403, 'chat is not among those of the key', 'The key is for other chats, whether or not there is this one.'],
  [429, 'too many requests', 'Too many wrong credentials from this address; with Retry-After.'],
  [500, 'session not found', 'Stored but not yet active, for example right after a restart; with Retry-After.'],
  nodeIsLost,
];

const ofOwner: ErrorLine[] = [
  [400, 'invalid header', 'id is missing.'],
  [403, 'session-id is not accepted here', 'Only a key, with the id of the session.'],
  [404, 'session not found', 'No such session, another tenant’s, or it was deleted.'],
  [500, 'session not found', 'Stored but not yet active, for example right after a restart; with Retry-After.'],
  nodeIsLost,
];

const ofLink: ErrorLine[] = [
  [404, 'link not found', 'The header link-token is missing or wrong, or the link was withdrawn, or its time is over.'],
  [429, 'too many requests', 'Too many wrong credentials from this address; with Retry-After.'],
];

const connected: ErrorLine[] = [
  [500, 'session not connected', 'The session exists but is not connected now.'],
  [500, '403: CHAT_WRITE_FORBIDDEN (caused by messages.SendMessage)', 'Any error of Telegram, passed through.'],
  [
    500,
    'A wait of 120 seconds is required (caused by messages.SendMessage)',
    'Waits of 60 s and more; with Retry-After.',
  ],
];

const ofKey: ErrorLine[] = [
  [401, 'invalid api key', 'A key is needed, or given instead of session-id, and is wrong, expired or revoked.'],
  [403, 'scope … is required', 'The key does not have the scope that the description names.'],
  [
    403,
    'a key with chats may not do this',
    'The key is for some chats, and this concerns more: the account, or other people.',
  ],
];

const operator: ErrorLine[] = [
  ...ofKey,
  [429, 'too many requests', 'Too many wrong credentials from this address; with Retry-After.'],
];

const written: ErrorLine[] = [
  [503, 'the event store is not available', 'Nothing was changed; with Retry-After.'],
  [503, 'recorded, but not yet readable', 'With Retry-After.'],
];

export const errors = { everywhere, always, withBody, ofSession, ofOwner, ofLink, connected, ofKey, operator, written };
