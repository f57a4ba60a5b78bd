import type { Logger } from 'pino';
import type { Tracer } from './tracer.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;

/** The same log, in which a line that is written within a trace names it (OP7.1). */
export function traceLines(log: Logger, tracer: Pick<Tracer, 'traceId'>): Logger {
  const naming = Object.create(log) as Logger;
  for (const level of levels) {
    naming[level] = (fields: unknown, ...rest: unknown[]): void => {
      const traceId = tracer.traceId();
      const write: (...line: unknown[]) => void = log[level].bind(log);
      if (traceId === undefined) write(fields, ...rest);
      else if (typeof fields === 'string') write({ traceId }, fields, ...rest);
      else write({ traceId, ...(fields as object) }, ...rest);
    };
  }
  return naming;
}
