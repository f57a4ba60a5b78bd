/** However long a server offers to keep a connection: connections are not hoarded. */
const keepAliveMaxMs = 30_000;
/** If a server does not say how long it keeps a connection. */
const keepAliveDefaultMs = 4_000;
/** A connection is not used any more this long before the server closes it: a request would cross its end. */
const keepAliveMarginMs = 1_000;

/** What all of undici's clients of ours are made with. */
export const clientOptions = {
  // Waiting is bounded by the gateway's clock.
  headersTimeout: 0,
  bodyTimeout: 0,
  keepAliveTimeout: keepAliveDefaultMs,
  keepAliveMaxTimeout: keepAliveMaxMs,
  keepAliveTimeoutThreshold: keepAliveMarginMs,
  /** Bytes; what Node's own client takes (`--max-http-header-size`), whatever that is set to. */
  maxHeaderSize: 16 * 1024,
  allowH2: false,
} as const;

export const userAgent = 'telegram-session-gateway';
