/** What an error code stands for. */
interface Meaning {
  meaning: string;
  /** The statuses it comes with. */
  statuses: readonly number[];
  /** Its messages, if it does not stand for all others of its statuses. */
  messages?: readonly (string | RegExp)[];
}

/**
 * The codes of `x-error-code`, beside the messages of the interface. A code follows from status and message, so that it
 * is the same for a response that is repeated from the log of idempotency keys. Of several that fit, the first counts;
 * a code without messages stands for the rest of its statuses. docs/errors.md lists them.
 */
export const errorCodes = {
  invalid_header: {
    meaning: '`id` or `session-id` is missing.',
    statuses: [400],
    messages: ['invalid header'],
  },
  invalid_recipient: {
    meaning: 'No recipient is named, or the phone, username or ID cannot be one.',
    statuses: [400],
    messages: ['invalid receiver', 'invalid chat', /^invalid (?:from\.)?phone, /, /^invalid from\./],
  },
  chat_not_found: {
    meaning: 'There is no such user, chat, group or channel, or the account is not in it.',
    statuses: [400],
    messages: ['chat not found', 'group not found', 'channel not found'],
  },
  phone_not_found: {
    meaning: 'The phone is not on Telegram, or hides that it is.',
    statuses: [400],
    messages: ['phone is not on telegram or hidden by its privacy settings'],
  },
  message_not_found: {
    meaning: 'The chat or its queue has no such message, or the message has no such button or poll.',
    statuses: [400],
    messages: ['message not found', 'button not found', 'button is not supported', 'message is not a poll'],
  },
  file_not_found: {
    meaning: 'The session has not uploaded this file, or it has expired.',
    statuses: [400],
    messages: ['file not found'],
  },
  file_too_large: {
    meaning: 'The file is larger than the gateway or Telegram takes it.',
    statuses: [400],
    messages: [/^file is larger than /],
  },
  idempotency_key_reused: {
    meaning: 'The key was used with another body.',
    statuses: [400],
    messages: ['idempotency key was used with another body'],
  },
  external_id_taken: {
    meaning: 'Another live session has this `externalId`.',
    statuses: [400],
    messages: [/^externalId is used by session /],
  },
  webhook_off: { meaning: 'The session has no webhook.', statuses: [400], messages: ['webhook is off'] },
  login_refused: {
    meaning: 'Telegram does not log in this phone, bot or session string.',
    statuses: [400],
    messages: [
      /cannot log in here/,
      'invalid bot token',
      /^login\.string cannot be read/,
      'string is used by another session',
    ],
  },
  login_not_expected: {
    meaning: 'The session waits for no code, no password or no login.',
    statuses: [400],
    messages: [
      'session does not wait for a login',
      'no more codes can be asked for',
      'code is not required',
      'password is not required',
    ],
  },
  invalid_code: { meaning: 'The login code is wrong.', statuses: [400], messages: ['invalid code'] },
  code_expired: { meaning: 'The login code is too old.', statuses: [400], messages: ['code expired'] },
  invalid_password: { meaning: 'The password is wrong.', statuses: [400], messages: ['invalid password'] },
  method_refused: {
    meaning: 'This method of Telegram is not for callers.',
    statuses: [400],
    messages: [/^[\w.]+ is refused$/],
  },
  invalid_request: {
    meaning: 'A header, query or body is not as the API document has it; the message has a line for each fault.',
    statuses: [400],
  },
  invalid_api_key: { meaning: 'The API key is missing or wrong.', statuses: [401] },
  host_not_allowed: {
    meaning: 'Without an API key: the Host header names neither this machine nor PUBLIC_URL.',
    statuses: [403],
    messages: ['host not allowed'],
  },
  origin_not_allowed: {
    meaning: 'A page of another site asks for what it may not have.',
    statuses: [403],
    messages: ['origin not allowed', 'pages from elsewhere may not look on'],
  },
  scope_required: {
    meaning: 'The key lacks a scope, which the message names.',
    statuses: [403],
    messages: [/^scope \S+ is required/],
  },
  chat_not_allowed: {
    meaning: 'The key is for other chats. Whether there is such a chat, the answer does not tell.',
    statuses: [403],
    messages: ['chat is not among those of the key'],
  },
  account_not_allowed: {
    meaning: 'The key is for some chats alone, and this concerns more: the account as a whole, or other people.',
    statuses: [403],
    messages: ['a key with chats may not do this'],
  },
  chat_required: {
    meaning: 'The key is for some chats alone: the request has to name one of them.',
    statuses: [403],
    messages: [/^a key with chats has to name /],
  },
  forbidden: { meaning: 'These headers do not go with this endpoint.', statuses: [403] },
  session_not_found: {
    meaning: 'Wrong `id` or `session-id`, or the session was deleted.',
    statuses: [404],
    messages: ['session not found'],
  },
  not_found: { meaning: 'There is no such path, file, method or moment.', statuses: [404] },
  method_not_allowed: { meaning: 'The path has other methods: `Allow` names them.', statuses: [405] },
  request_timeout: { meaning: 'The request did not arrive in time.', statuses: [408] },
  body_too_large: { meaning: 'The body is larger than the endpoint takes it.', statuses: [413] },
  wrong_content_type: { meaning: 'The content type is not that of the endpoint.', statuses: [415] },
  range_not_satisfiable: { meaning: 'The file has no such bytes.', statuses: [416] },
  expectation_failed: { meaning: '`Expect` asks for something unknown.', statuses: [417] },
  upgrade_required: { meaning: 'The endpoint is a WebSocket.', statuses: [426] },
  headers_too_large: { meaning: 'The headers are larger than 16 KB.', statuses: [431] },
  too_many_files: {
    meaning: 'Files, pictures or conversions of this session wait already, or of all together (503).',
    statuses: [429, 503],
    messages: [
      /^too many (?:files|pictures|videos and sounds|conversions|look-ups of names)/,
      /no room for more files$/,
    ],
  },
  telegram_wait: {
    meaning: 'Telegram asks to wait: `Retry-After` says how long.',
    statuses: [429, 500, 503],
    messages: [/^A wait of \d+ seconds is required/, /^420: /, /^telegram (?:asked to wait|takes no more) /],
  },
  pace_reached: {
    meaning: 'The pace of the account is used up: `Retry-After` says until when.',
    statuses: [429],
    messages: [/^the next turn of this account’s pace is in /],
  },
  limit_reached: {
    meaning: 'A limit of the key is reached: of its messages in a day, until `Retry-After`, or of its sessions.',
    statuses: [429],
    messages: [/^limit of \d+ .* reached$/],
  },
  too_many_requests: { meaning: 'Wrong credentials too often, or too much open at a time.', statuses: [429] },
  session_not_active: {
    meaning: 'The session is stored, but not active yet: right after a restart.',
    statuses: [500],
    messages: ['session not found'],
  },
  session_not_connected: {
    meaning: 'The session is not connected to Telegram now.',
    statuses: [500],
    messages: ['session not connected'],
  },
  telegram_error: {
    meaning: "Telegram's own error, passed through: `CODE: NAME (caused by …)`.",
    statuses: [500],
    messages: [/\(caused by [^)]+\)$/],
  },
  telegram_timeout: {
    meaning: 'Telegram did not answer in time; whether it did what was asked for is not known.',
    statuses: [500, 503],
    messages: [/^(?:send|typing) timeout after /, /^telegram did not answer /],
  },
  telegram_unreachable: {
    meaning: 'Telegram is out of reach.',
    statuses: [503],
    messages: ['telegram is out of reach'],
  },
  node_lost: {
    meaning:
      'The node that has the session went away before it answered: whether it did what was asked for is not known. Repeat the ' +
      'request if it had an `Idempotency-Key` that its endpoint takes; else look first.',
    statuses: [500],
    messages: ['the node of the session went away before it answered'],
  },
  outcome_unknown: {
    meaning: 'It is not known whether it was done, and it is not tried again under this key.',
    statuses: [500],
    messages: [/^it is not known whether /],
  },
  file_not_downloaded: {
    meaning: 'The file could not be downloaded from the given URL.',
    statuses: [500],
    messages: [/^error parser file from url /],
  },
  file_not_usable: {
    meaning: 'The file cannot be made into what was asked for.',
    statuses: [500],
    messages: [/^error compress image: /, /^error convert \w+: /],
  },
  internal_error: { meaning: 'A defect of the gateway. Its log has the cause, under `x-request-id`.', statuses: [500] },
  store_unavailable: {
    meaning: 'The event store cannot be read or written now.',
    statuses: [503],
    messages: [
      'the event store is not available',
      'recorded, but not yet readable',
      'the idempotency keys of this session cannot be read',
    ],
  },
  starting: {
    meaning: 'The gateway is starting.',
    statuses: [503],
    messages: ['service is starting', 'sessions are still starting'],
  },
  shutting_down: { meaning: 'The gateway is shutting down.', statuses: [503], messages: ['service is shutting down'] },
  overloaded: { meaning: 'The gateway has too much to do.', statuses: [503], messages: ['service overloaded'] },
  unavailable: { meaning: 'The gateway is not ready, or something shared is in use.', statuses: [503] },
} as const satisfies Readonly<Record<string, Meaning>>;

export type ErrorCode = keyof typeof errorCodes;

const entries = Object.entries(errorCodes) as [ErrorCode, Meaning][];

/** The code of an error response. */
export function errorCodeOf(statusCode: number, message: string): ErrorCode {
  for (const [code, { statuses, messages }] of entries) {
    if (!statuses.includes(statusCode)) continue;
    if (messages === undefined || messages.some((one) => fits(one, message))) return code;
  }
  return statusCode < 500 ? 'invalid_request' : 'internal_error';
}

const fits = (pattern: string | RegExp, message: string): boolean =>
  typeof pattern === 'string' ? pattern === message : pattern.test(message);
