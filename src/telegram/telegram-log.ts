import { TelegramError } from './port/account.ts';

/**
 * Where this part tells what happens to it. Nothing that identifies a person or opens an account is ever passed:
 * states, reasons, request names and numbers only.
 */
export type TelegramLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** What may be told of an error: what Telegram calls it, else its class; never its text. */
export function errorNameOf(error: unknown): string {
  if (error instanceof TelegramError) return error.errorName;
  return error instanceof Error ? error.name : typeof error;
}
