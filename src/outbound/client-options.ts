/** Upper limit, also if a server offers to keep a connection for longer. */
const keepAliveMaxMs = 30_000;
/** Default if a server does not say how long it keeps a connection. */
const keepAliveDefaultMs = 4_000;
/** A connection is closed this long before the server would close it: no request meets the server's close. */
const keepAliveMarginMs = 1_000;

/** Options of all undici clients. */
export const clientOptions = {
  // Timeouts run on the gateway's clock.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: keepAliveDefaultMs,
  keepAliveMaxTimeout: keepAliveMaxMs,
  keepAliveTimeoutThreshold: keepAliveMarginMs,
  /** Bytes; the limit of Node's own client (`--max-http-header-size`). */
  maxHeaderSize: 16 * 1024,
  allowH2: false,
} as const;

/** Responses with status 1xx before the final one; no known server sends more than two. */
export const maxInterimHeads = 10;

export const userAgent = 'telegram-session-gateway';
