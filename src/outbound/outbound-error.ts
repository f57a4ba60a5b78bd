/**
 * Why a request to somebody else's server came to nothing: a few words for whoever gave the URL. Never holds the URL
 * (it may carry a password or a signature), nor what a name resolved to.
 */
export class OutboundError extends Error {
  override name = 'OutboundError';
}

/** The HTTP client's own errors in our words; any other error as it is. */
export function asOutboundError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const words =
    error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW'
      ? 'it did not answer in proper HTTP'
      : code.startsWith('UND_ERR_') || code === 'ECONNRESET' || code === 'EPIPE'
        ? 'the connection was lost'
        : undefined;
  return words === undefined ? error : new OutboundError(words, { cause: error });
}
