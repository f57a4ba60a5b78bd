/** The parts of the gateway that report faults: `where` of an error's line, and of `gateway_faults_total`. */
export const faultParts = [
  'http',
  'sessions',
  'updates',
  'deliveries',
  'views',
  'store',
  'telegram',
  'sandbox',
  'inspector',
  'process',
] as const;
export type FaultPart = (typeof faultParts)[number];

/** The log of the actors; a pino logger fits. `fields` never hold secrets. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  /** Something that an operator has to look into. */
  error(fields: { where: FaultPart; [field: string]: unknown }, message: string): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
