import { TelegramError } from '../port/errors.ts';

/** The login is lost for good. Only a new QR login helps. */
export class LoginLostError extends Error {
  override name = 'LoginLostError';
  /** Telegram's name for it: `SESSION_REVOKED`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`the login is lost: ${reason}`);
    this.reason = reason;
  }
}

/** Errors that end a login (https://core.telegram.org/api/errors#401-unauthorized). */
const lostNames = new Set([
  'AUTH_KEY_UNREGISTERED',
  'AUTH_KEY_INVALID',
  'AUTH_KEY_DUPLICATED',
  'SESSION_REVOKED',
  'SESSION_EXPIRED',
  'USER_DEACTIVATED',
  'USER_DEACTIVATED_BAN',
]);

/** The reason, if the error of a call says that the login is lost (SE9). */
export function lostLoginReason(error: unknown): string | undefined {
  if (error instanceof LoginLostError) return error.reason;
  return error instanceof TelegramError && lostNames.has(error.errorName) ? error.errorName : undefined;
}
