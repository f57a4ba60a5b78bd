/** An error of Telegram: its code and name, and the request that caused it. */
export class TelegramError extends Error {
  override name = 'TelegramError';
  /** 303, 400, 401, 403, 406, 420, 500, -503, … */
  readonly code: number;
  /** `CHAT_WRITE_FORBIDDEN`; with the number that Telegram appends: `FLOOD_WAIT_120`. */
  readonly errorName: string;
  /** `messages.SendMessage` */
  readonly request: string;
  /** The wait that Telegram asks for, if any. */
  readonly waitSeconds: number | undefined;

  /** The message is worded as the interface has it (ER3). */
  constructor(code: number, errorName: string, request: string) {
    const wait = /^(FLOOD|FLOOD_PREMIUM|SLOWMODE)_WAIT_(\d+)$/.exec(errorName);
    const isFlood = wait !== null && wait[1] !== 'SLOWMODE';
    super(
      isFlood
        ? `A wait of ${wait[2]} seconds is required (caused by ${request})`
        : `${code}: ${errorName} (caused by ${request})`,
    );
    this.code = code;
    this.errorName = errorName;
    this.request = request;
    this.waitSeconds = wait === null ? undefined : Number(wait[2]);
  }

  /** A group lets its members write once in so many seconds: the wait is the caller's to plan with (ER3). */
  get isSlowMode(): boolean {
    return this.errorName.startsWith('SLOWMODE_WAIT_');
  }

  /** True for waits and for Telegram's own errors (https://core.telegram.org/api/errors#500-internal). */
  get retryable(): boolean {
    return this.waitSeconds !== undefined || this.code >= 500 || this.code < 0;
  }

  get retryAfterMs(): number | undefined {
    return this.waitSeconds === undefined ? undefined : this.waitSeconds * 1000;
  }
}

/** Telegram refused a request because the account is frozen (https://core.telegram.org/api/auth#frozen-accounts). */
export const isFrozen = (error: unknown): error is TelegramError =>
  error instanceof TelegramError && error.errorName === 'FROZEN_METHOD_INVALID';

/** The account is not connected to Telegram now; a retry may help. */
export class NotConnectedError extends Error {
  override name = 'NotConnectedError';
  readonly retryable = true;
}

/** No such user, group or channel, or the account never met it. */
export class PeerNotFoundError extends Error {
  override name = 'PeerNotFoundError';
}

/** The account knows the group or channel, and is not in it. */
export class NotJoinedError extends PeerNotFoundError {
  override name = 'NotJoinedError';
}

/** The chat has no such message, or not any more. */
export class MessageNotFoundError extends Error {
  override name = 'MessageNotFoundError';
}

/** A request that must not be repeated had no answer: it may have been carried out. */
export class OutcomeUnknownError extends Error {
  override name = 'OutcomeUnknownError';
}

/** The text is not a valid username. */
export class InvalidUsernameError extends Error {
  override name = 'InvalidUsernameError';
}

/** The number is not on Telegram, or hidden by its privacy settings. */
export class PhoneNotFoundError extends Error {
  override name = 'PhoneNotFoundError';
}
