import { TelegramError } from './port/errors.ts';

/**
 * The log of the Telegram adapter. It gets states, reasons, request names and numbers only: nothing that identifies a
 * person or opens an account.
 */
export type TelegramLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;

/** The part of an error that may be logged: Telegram's name for it, else its class. Never its text. */
export function errorNameOf(error: unknown): string {
  if (error instanceof TelegramError) return error.errorName;
  return error instanceof Error ? error.name : typeof error;
}
