/** What the actors say about themselves: a pino logger fits. No secret ever enters `fields`. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
