/** Why a proxy carries no connection; the reason of `disconnected` (LG3). */
export type ProxyFailure =
  /** Its name has no address, its address is not allowed, or nothing answers there. */
  | 'proxy-unreachable'
  /** It answers, and does not connect to Telegram, or is no proxy of this kind. */
  | 'proxy-refused'
  /** It does not accept the user name and password, or the secret. */
  | 'proxy-auth-failed';

/** What a caller is told of a proxy that was tried; an error of the connection to it may say more. */
export const proxyFailures: Readonly<Record<ProxyFailure, string>> = {
  'proxy-unreachable': 'it cannot be reached',
  'proxy-refused': 'it does not connect to Telegram',
  'proxy-auth-failed': 'it does not accept the user name and password, or the secret',
};

export const isProxyFailure = (reason: string): reason is ProxyFailure => Object.hasOwn(proxyFailures, reason);

/** Why the session's proxy carries no connection, if that is the cause of an error. */
export function proxyFailureOf(error: unknown): ProxyError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof ProxyError) return cause;
  return undefined;
}

/** A connection through a proxy was not made. The message is the reason and names neither the proxy nor a password. */
export class ProxyError extends Error {
  override name = 'ProxyError';
  readonly retryable = true;
  readonly reason: ProxyFailure;

  constructor(reason: ProxyFailure, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
