/**
 * Where a session's login is kept between two runs: it opens the account, so whoever implements this seals it. Durable
 * when the promise resolves.
 */
export interface LoginStore {
  load(sessionId: string): Promise<string | undefined>;
  save(sessionId: string, text: string): Promise<void>;
  /** An unknown session is no error. */
  drop(sessionId: string): Promise<void>;
}
