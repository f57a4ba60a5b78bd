import { TelegramError } from '../telegram/port/errors.ts';

/** The part of an error that may be traced: Telegram's name for it, else its class. Never its text. */
export function errorName(error: unknown): string {
  if (error instanceof TelegramError) return error.errorName;
  const { name } = Object(error) as { name?: unknown };
  return typeof name === 'string' ? name : typeof error;
}
