/**
 * Why a request to a caller's URL failed, for that caller. The message never contains the URL (it may hold a password or
 * a signature), nor the address of a name.
 */
export class OutboundError extends Error {
  override name = 'OutboundError';
}

export const improperHttp = (cause?: Error): OutboundError =>
  new OutboundError('it did not answer in proper HTTP', { cause });

/** The connection was closed or lost. */
export function isConnectionLost(error: Error): boolean {
  const code = codeOf(error);
  if (code === 'UND_ERR_SOCKET') return !isBadResponse(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** The HTTP client's own errors in our words; any other error as it is. */
export function asOutboundError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  if (error.name === 'HTTPParserError' || code === 'UND_ERR_HEADERS_OVERFLOW' || isBadResponse(error)) {
    return improperHttp(error);
  }
  // A header that HTTP has no form for; the message holds its name only.
  if (code === 'UND_ERR_INVALID_ARG') return new TypeError(error.message);
  if (code.startsWith('UND_ERR_') || isConnectionLost(error)) {
    return new OutboundError('the connection was lost', { cause: error });
  }
  return error;
}

/** undici has closed the connection itself, after an unrequested 100 or 101. */
const isBadResponse = (error: Error): boolean => /^bad (?:response|upgrade)$/.test(error.message);

const codeOf = (error: Error): string => ('code' in error ? String(error.code) : '');
