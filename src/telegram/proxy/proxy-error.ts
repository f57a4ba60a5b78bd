/** Why a proxy carries no connection; the reason of `disconnected` (LG3). */
export type ProxyFailure =
  /** Its name has no address, its address is not allowed, or nothing answers there. */
  | 'proxy-unreachable'
  /** It answers, and does not connect to Telegram, or is no proxy of this kind. */
  | 'proxy-refused'
  /** It does not accept the user name and password, or the secret. */
  | 'proxy-auth-failed';

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
