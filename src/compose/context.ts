import type { Logger } from 'pino';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { UnreadableEvents } from '../../actors/ports/unreadable-events.ts';
import type { Config } from '../config/config.ts';
import type { Tracer } from '../telemetry/tracer.ts';

/** What every part may use. */
export interface ComposeContext {
  config: Config;
  clock: Clock;
  randomness: Randomness;
  log: Logger;
  tracer: Tracer | undefined;
  /** Where every reader of events tells what it cannot read. */
  unreadable: UnreadableEvents;
  /** Has a part ended with the gateway; what was begun last ends first. */
  onEnd: (end: () => unknown) => void;
}
