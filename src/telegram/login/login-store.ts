/**
 * Where a session's login is kept between two runs: it opens the account, so whoever implements this seals it. Durable
 * when the promise resolves.
 */
export interface LoginStore {
  /** What `read` makes of the login; undefined if there is none. If `read` throws, the login is kept and the promise rejects. */
  loadLogin<Login>(sessionId: string, read: (text: string) => Login): Promise<Login | undefined>;
  saveLogin(sessionId: string, login: string): Promise<void>;
  /** An unknown session is no error. */
  dropLogin(sessionId: string): Promise<void>;
}
