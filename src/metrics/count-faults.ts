import type { Logger } from 'pino';
import type { FaultPart } from '../../actors/ports/log.ts';
import type { Metrics } from './metrics.ts';

/** The same log, which also counts its errors by `where` (OP5.3). */
export function countFaults(log: Logger, counts: Pick<Metrics, 'faulted'>): Logger {
  const counting = Object.create(log) as Logger;
  const error = (fields: { where?: FaultPart }, ...rest: [string]): void => {
    counts.faulted(fields.where ?? 'process');
    log.error(fields, ...rest);
  };
  return Object.assign(counting, { error });
}
