/** What to do about an error, by its code. What the message of the gateway says by itself is not here. */
const advice: Readonly<Record<string, string>> = {
  connection_failed: 'Is the gateway running at this `baseUrl`? In a browser, its CORS_ORIGINS must name this page',
  invalid_api_key: 'Give `apiKey` to `new Gateway`: the API_KEY of the gateway, or a key that it issued',
  invalid_header: 'Give `gateway.session` the `id` and the `sessionId` that createSession returned',
  host_not_allowed: 'Without an API key the gateway answers on this machine alone: set API_KEY, or PUBLIC_URL',
  session_not_found: 'Wrong `id` or `sessionId`, or the session was deleted: create a new one',
  session_not_connected: 'Log the account in first: `await session.waitForLogin(…)`',
  chat_not_found: 'The account does not know this chat: write to a username or a phone number, or join it first',
  phone_not_found: 'This phone number is not on Telegram, or hides that it is',
  idempotency_key_reused: 'Use a new `idempotencyKey` for another message',
  external_id_taken: 'A live session has this `externalId`: find it with `gateway.listSessions({ externalId })`',
  webhook_off: 'Set one first: `session.setWebhook({ url, token })`',
  outcome_unknown: 'Look into the chat before you send it again, under a new `idempotencyKey`',
  node_lost: 'Call again with the same `idempotencyKey`, if it had one: it is done once at most',
  telegram_timeout: 'Call again with the same `idempotencyKey`: it is done once at most',
  password_required: 'Give `waitForLogin` a function `password`, or call `session.submitPassword({ password })`',
  code_required: 'Give `waitForLogin` a function `code`, or call `session.submitLoginCode({ code })`',
  login_expired: 'The login was not finished in time and the session is deleted: create a new one',
  websocket_missing:
    'Here no WebSocket takes headers: use `streamMessages`, or in Node 20 the option `WebSocket` of the package `ws`',
  webhook_not_verified: 'Is `token` the one that `setWebhook` was given, and is the clock of this machine right?',
  webhook_body_missing: 'Put the webhook before `express.json()` and other parsers: the signature is of the bytes',
};

/** @param retryAfter in seconds */
export function adviceFor(code: string, retryAfter: number | undefined): string {
  return advice[code] ?? (retryAfter === undefined ? '' : `Call again in ${retryAfter} s`);
}
