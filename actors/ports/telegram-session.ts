/** How Telegram sent a login code. `call`: also as the number that calls. */
export const codeChannels = ['app', 'sms', 'call', 'email', 'fragment'] as const;
export type CodeChannel = (typeof codeChannels)[number];

/** How a session logs in without a QR code. All of it is secret or personal. */
export type LoginRequest = { phone: string } | { botToken: string } | { string: string };

/** What became of a login code: `renewed` and `used-up` mean that it had expired at Telegram. */
export type CodeOutcome = 'accepted' | 'rejected' | 'renewed' | 'used-up';

/** A phone or token that Telegram does not log in, for a reason that the caller has to know. */
export class LoginImpossibleError extends Error {
  override name = 'LoginImpossibleError';
}

/** Telegram cannot be reached through a proxy, for a reason that the caller has to know. It names no password or secret. */
export class ProxyUnusableError extends Error {
  override name = 'ProxyUnusableError';
}

/**
 * The URL of a session's proxy, as it is recorded at the moment of the call; empty if it has none. Undefined if the key that
 * sealed it is destroyed, or nothing was recorded: then the one in the stored login counts.
 * @throws it cannot be read now: no connection may be opened
 */
export type ReadProxy = () => Promise<string | undefined>;

/** The libraries whose session strings are known. */
export const stringFormats = ['telethon', 'pyrogram', 'gramjs', 'mtcute'] as const;
export type StringFormat = (typeof stringFormats)[number];

/**
 * The Telegram side of one session, as its actor sees it: it takes instructions and reports facts. `src/telegram`
 * implements it; the simulation uses a fake one.
 *
 * Every instruction may be repeated (a restart runs the last effects again), and a newer one replaces an older one.
 * `login` is the number of the login attempt. It comes back with each fact, and the chart ignores facts of an older
 * login.
 */
export interface TelegramSession {
  /**
   * Drops any stored login and shows QR tokens, one after the other, until one is scanned or another instruction comes.
   */
  startQrLogin(login: number): void;
  /**
   * Reaches Telegram through a proxy, without the session's login.
   * @param url of the proxy
   * @throws {ProxyUnusableError}
   */
  tryProxy(url: string): Promise<void>;
  /**
   * The recorded proxy has changed. Every connection of the session is closed, and the next ones, which go through the
   * new proxy, are opened after that.
   */
  useProxy(): void;
  /** Keeps the login that waits for its code, and shows no QR code any more. No-op if it is already open. */
  awaitCode(login: number): void;
  /**
   * The first login of a session that is not recorded yet. Nothing is reported: the fact in the answer has to be recorded,
   * together with the session. The login is stored before, but for that of a session string, which is its owner's until
   * {@link keepLogin}.
   * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
   */
  logIn(login: number, request: LoginRequest): Promise<TelegramFact>;
  /**
   * Has Telegram send a code to the phone. `sent` was reported as `CodeSent` before, `accepted` (no code is needed) as
   * `LoggedIn`. If it fails, what went on before goes on: the QR code, or the code sent before.
   * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
   */
  sendCode(login: number, phone: string): Promise<'sent' | 'accepted' | 'used-up'>;
  /**
   * Submits a login code, which is not stored. What came of it was reported before, but for `rejected`: `LoggedIn` or
   * `PasswordRequested`, `CodeSent`, `CodesUsedUp`.
   * @throws {LoginImpossibleError} {@link TelegramError} {@link NotConnectedError}
   */
  submitCode(login: number, code: string): Promise<CodeOutcome>;
  /** Continues the login that waits for its password. No-op if it is already open. */
  awaitPassword(login: number): void;
  /** Connects with the stored login and keeps reconnecting. No-op if already connecting. */
  connect(login: number): void;
  /**
   * Submits the two-step password, which is not stored. `accepted` was reported as `LoggedIn` before.
   * @throws {TelegramError} a wait that Telegram demands, or another error of Telegram
   * @throws {NotConnectedError} Telegram is unreachable now
   */
  submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'>;
  /**
   * Logs out at Telegram (in the background, within a limit), reports `LoggedOut` and drops the stored login. Without an
   * answer of Telegram the stored login stays. Every reset and deletion sends it, even if there never was a login; then
   * there is only something to drop.
   */
  logOut(): void;
  /**
   * The login as a session string of a library. It stays in use.
   * @throws {NotConnectedError} there is no complete login of this number
   */
  exportLogin(login: number, format: StringFormat): Promise<string>;
  /**
   * That the login of a session string is the session's own is recorded: it is stored, however long the store is away. Before
   * that a log-out only forgets it. No-op for another login.
   */
  keepLogin(login: number): void;
  /** Resolves when the login is stored. Rejects if it is not to be kept, or if the session closes or does something else before. */
  loginKept(): Promise<void>;
  /** Ends the connection and drops the stored login, without a log-out: it was given away. */
  dropLogin(): void;
  /** Resolves when no stored login is being dropped any more, however long the store is away. Rejects if it closes before. */
  loginDropped(): Promise<void>;
  /** A log-out in flight ends without Telegram's answer, and its login stays stored: the session's next owner logs it out. */
  giveUpLogOuts(): void;
  /**
   * Waits for a log-out in flight, and closes connections and timers. The stored login stays. Resolves when nothing is
   * running.
   */
  close(): Promise<void>;
}

/** The logged-in account, in the clear: between Telegram and the sealer, and between the sealer and the caller. */
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

/**
 * The facts that a Telegram session reports. Texts are in the clear here, and are sealed before they become an event.
 */
export type TelegramFact =
  | { type: 'QrIssued'; login: number /** `tg://login?token=…` */; link: string /** ms since 1970 */; expires: number }
  | { type: 'LoginRefused'; login: number /** Telegram's name for it: `API_ID_INVALID` */; reason: string }
  | { type: 'CodeSent'; login: number; to: CodeChannel; number: number; phone: string }
  | { type: 'CodesUsedUp'; login: number }
  | { type: 'PasswordRequested'; login: number; hint: string }
  | { type: 'LoggedIn'; login: number; account: Account /** data URI of the small photo, or empty */; picture: string }
  /** The same, by a session string. */
  | { type: 'LoginImported'; login: number; format: StringFormat; account: Account; picture: string }
  | { type: 'AccountChanged'; login: number; account: Account; picture: string }
  | { type: 'ConnectionLost'; login: number; reason: string }
  /** The same, because the session's proxy carries no connection; also later in an outage. */
  | {
      type: 'ProxyFailed';
      login: number /** `proxy-unreachable`, `proxy-refused`, `proxy-auth-failed` */;
      reason: string;
    }
  | { type: 'ConnectionRestored'; login: number }
  | { type: 'LoginLost'; login: number /** Telegram's name for it: `SESSION_REVOKED` */; reason: string }
  /** The same of a bot */
  | { type: 'BotLoginLost'; login: number; reason: string }
  /** Telegram refuses what the account does, and its reason. */
  | { type: 'AccountFrozen'; login: number; reason: string }
  /** A log-out has ended, and Telegram knows that the login is over. It may be reported while the session closes. */
  | { type: 'LoggedOut' }
  /** Updates that are lost: `too-many`, `position-unknown`, `unreadable`, `stuck`. */
  | { type: 'UpdatesLost'; login: number; reason: string };

/** Resolves when the fact is recorded, or changes nothing. Rejects if it could not be recorded. */
export type ReportTelegramFact = (fact: TelegramFact) => Promise<void>;

/** @param readProxy asked at each connection. Default: the session has no proxy. */
export type CreateTelegramSession = (
  sessionId: string,
  report: ReportTelegramFact,
  readProxy?: ReadProxy,
) => TelegramSession;
