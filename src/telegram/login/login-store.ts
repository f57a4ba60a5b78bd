/**
 * Where a session's login is kept between two runs: it opens the account, so whoever implements this seals it. Durable
 * when the promise resolves.
 */
export interface LoginStore {
  loadLogin(sessionId: string): Promise<string | undefined>;
  saveLogin(sessionId: string, login: string): Promise<void>;
  /** An unknown session is no error. */
  dropLogin(sessionId: string): Promise<void>;
}
