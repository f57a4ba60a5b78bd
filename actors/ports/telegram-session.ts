/**
 * The tie between one session and Telegram, as the actor sees it: it is told what to do, and reports facts. Made by
 * `src/telegram/`; a fake one stands in for it in the simulation.
 *
 * Every instruction may be repeated (a restart runs the last effects again) and a newer one replaces an older one.
 * `login` is the number of the login attempt: a link reports it back, and the chart ignores facts of an older login.
 */
export interface TelegramSession {
  /** Forgets any stored login and shows QR tokens, one after the other, until one is scanned or the link is told else. */
  startQrLogin(login: number): void;
  /** Opens the half-finished login again, so that a password can be given. Where it is open, nothing is to be done. */
  awaitPassword(login: number): void;
  /** Connects with the stored login and stays connected, however long it takes. Where it is at it, it goes on. */
  connect(login: number): void;
  /**
   * Gives the two-step password. Nothing of it is kept. `accepted` has been reported as `LoggedIn` beforehand.
   * @throws {TelegramError} a wait Telegram demands, or another error of Telegram's.
   * @throws {NotConnectedError} Telegram cannot be reached now.
   */
  submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'>;
  /**
   * Logs out at Telegram (best effort, in the background, bounded), and drops the stored login. Told with every reset
   * and deletion, also where nobody has logged in: then there is only something to drop.
   */
  logOut(): void;
  /**
   * Lets a logout that is under way end, and closes connections and timers; the stored login stays. Resolves when
   * nothing is left running.
   */
  close(): Promise<void>;
}

/** The logged-in account, in the clear: on its way from Telegram to the sealer, and from the sealer to the caller. */
export interface Account {
  /** Telegram's user ID, decimal. */
  id: string;
  /** First and last name; empty if none. */
  name: string;
  /** Without @; empty if none. */
  username: string;
  /** Digits; empty if none. */
  phone: string;
}

/** What a link reports. Texts are in the clear here and sealed before they become an event. */
export type TelegramFact =
  | { type: 'QrIssued'; login: number /** `tg://login?token=…` */; link: string /** ms since 1970 */; expires: number }
  | { type: 'PasswordRequested'; login: number; hint: string }
  | { type: 'LoggedIn'; login: number; account: Account /** data URI of the small photo, or empty */; picture: string }
  | { type: 'AccountChanged'; login: number; account: Account; picture: string }
  | { type: 'ConnectionLost'; login: number; reason: string }
  | { type: 'ConnectionRestored'; login: number }
  | { type: 'LoginLost'; login: number /** Telegram's name for it: `SESSION_REVOKED` */; reason: string }
  /** Updates that can't be had any more: `too-many`, `position-unknown`, `unreadable`. */
  | { type: 'UpdatesLost'; login: number; reason: string };

/** Resolves when the fact is recorded, or was found to change nothing. Rejects when it could not be recorded. */
export type ReportTelegramFact = (fact: TelegramFact) => Promise<void>;

export type CreateTelegramSession = (sessionId: string, report: ReportTelegramFact) => TelegramSession;
