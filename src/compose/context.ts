import type { Logger } from 'pino';
import type { Clock, Randomness } from '../../actors/ports/clock.ts';
import type { UnreadableEvents } from '../../actors/ports/unreadable-events.ts';
import type { Config } from '../config/config.ts';
import type { Tracer } from '../telemetry/tracer.ts';

/** The dependencies that every part may use. */
export interface ComposeContext {
  config: Config;
  clock: Clock;
  randomness: Randomness;
  log: Logger;
  tracer: Tracer | undefined;
  /** The name of this process in what it records. */
  nodeName: string;
  /** Readers of events report unreadable events here. */
  unreadable: UnreadableEvents;
  /** The gateway cannot go on: {@link Gateway.failed} rejects. */
  fail: (error: Error) => void;
  /** Registers a part to be ended with the gateway. The part that was started last ends first. */
  onEnd: (end: () => unknown) => void;
}
