import { TelegramError } from '../telegram/port/errors.ts';

/** What may be told of an error: what Telegram calls it, else its class; never its text. */
export function errorName(error: unknown): string {
  if (error instanceof TelegramError) return error.errorName;
  const { name } = Object(error) as { name?: unknown };
  return typeof name === 'string' ? name : typeof error;
}
