import type { Clock, Randomness } from '../ports/clock.ts';
import type { ReportUnreadable } from '../ports/event-codec.ts';
import type { EventStore } from '../ports/event-store.ts';
import type { Log } from '../ports/log.ts';
import type { Ownership, Partitions } from '../ports/ownership.ts';
import type { Sealer } from '../ports/sealer.ts';
import type { CreateTelegramSession } from '../ports/telegram-session.ts';
import type { Lifecycle } from '../session/lifecycle.ts';
import type { SessionEnd } from '../session/restore.ts';
import type { ExternalIdIndex } from './creation/external-ids.ts';
import type { TraceFact } from './mailbox-job.ts';

/** What the supervisor is given. */
export interface SessionSupervisorDeps {
  store: EventStore;
  sealer: Sealer;
  clock: Clock;
  random: Randomness;
  createTelegramSession: CreateTelegramSession;
  node: string;
  /** Default: the process is alone. */
  ownership: Ownership;
  /** The number of the partition that a session is in. Default: all are in the one of `allPartitions`. */
  partitionOf?: ((sessionId: string) => number) | undefined;
  log: Log;
  reportUnreadable: ReportUnreadable;
  /** Sessions of these partitions that have a vault still, or a log-out that is owed, beside those that live. */
  unfinishedErasures: (partitions: Partitions) => AsyncIterable<string> | Iterable<string>;
  /**
   * How the streams of the sessions end, if a reader of the log remembers that. Undefined: the store is asked, which for
   * some stores means a pass over all events.
   */
  knownEnds?: (() => Iterable<SessionEnd> | undefined) | undefined;
  /** IDs of the sessions whose vault cannot be read: they are held (FA7). */
  unreadableVaults: () => Promise<readonly string[]>;
  linkStartsPerSecond: number;
  /**
   * Resolves when the readers of the log have everything up to this position: a restored session does not connect before. Default:
   * they have.
   */
  isKnown?: ((position: bigint) => Promise<void>) | undefined;
  /** Which session has a caller's own ID. Undefined: these are not unique. */
  externalIds?: ExternalIdIndex | undefined;
  /** For traces. */
  watch?: TraceFact | undefined;
  /** Default: the chart of this version. */
  lifecycle?: Lifecycle;
}

/** What the commands are given; the rest has defaults. */
export interface SessionCommandsDeps
  extends Omit<SessionSupervisorDeps, WithDefault>,
    Partial<Pick<SessionSupervisorDeps, WithDefault>> {}

type WithDefault = 'log' | 'ownership' | 'unfinishedErasures' | 'unreadableVaults' | 'linkStartsPerSecond';
