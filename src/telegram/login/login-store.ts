/**
 * Stores the logins of sessions across restarts. A login gives access to the account, so an implementation must seal it.
 * A change is durable when its promise resolves.
 */
export interface LoginStore {
  /** The login, converted by `read`; undefined if there is none. If `read` throws, the promise rejects and the login stays. */
  loadLogin<Login>(sessionId: string, read: (text: string) => Login): Promise<Login | undefined>;
  /** @param isLast the process saves this login for the last time, and a release waits for it: the older login is left to the next save */
  saveLogin(sessionId: string, login: string, isLast?: boolean): Promise<void>;
  /** An unknown session is no error. */
  dropLogin(sessionId: string): Promise<void>;
}
