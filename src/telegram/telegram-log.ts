/**
 * Where this part tells what happens to it. Nothing that identifies a person or opens an account is ever passed:
 * states, reasons, request names and numbers only.
 */
export type TelegramLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, string | number | boolean | undefined>>,
) => void;
