import { storePoll } from '../../actors/kit/retry-policy.ts';
import { SingleWriter, type SingleWriterDeps } from '../../actors/kit/single-writer.ts';
import type { Clock, Randomness, TimerHandle } from '../../actors/ports/clock.ts';
import type { NewEvent } from '../../actors/ports/event-store.ts';
import type { Log } from '../../actors/ports/log.ts';
import { usageCodec } from '../../projections/usage/usage-codec.ts';
import { type UsageCount, type UsageRow, usageStream } from '../../projections/usage/usage-events.ts';

/** What a crash may lose. */
const intervalMs = 1_000;
/** Of one event: some 150 KB. */
const maxRows = 1_000;

/** Notes that something was used; it is recorded a moment later. */
export interface CountUsage {
  /** @param keyId undefined: that of the key which created the session */
  count(sessionId: string, keyId: string | undefined, name: UsageCount, count?: number): void;
}

export interface UsageRecorderDeps extends SingleWriterDeps {
  clock: Clock;
  random: Randomness;
  /** Recorded beside the counts. */
  node: string;
  /** Of a session; what is used without a key counts for the one that created it. */
  ownersOf: (sessionId: string) => Pick<UsageRow, 'tenant' | 'key'>;
  log: Log;
}

/**
 * Records what sessions use: the counts of a second are one event, so that no request waits for them. Each process has a
 * stream of its own for each day.
 */
export class UsageRecorder implements CountUsage {
  readonly #deps: UsageRecorderDeps;
  /** By session and key: what is not recorded yet. */
  #rows = new Map<string, UsageRow>();
  #timer: TimerHandle | undefined;
  #writing: Promise<void> | undefined;
  #writer: SingleWriter<NewEvent> | undefined;
  #isAway = false;
  #isEnding = false;

  constructor(deps: UsageRecorderDeps) {
    this.#deps = deps;
  }

  count(sessionId: string, keyId: string | undefined, name: UsageCount, count = 1): void {
    if (count === 0) return;
    const id = `${sessionId} ${keyId ?? ''}`;
    const row = this.#rows.get(id) ?? { session: sessionId, ...(keyId !== undefined && { key: keyId }) };
    row[name] = (row[name] ?? 0) + count;
    this.#rows.set(id, row);
    if (this.#writing === undefined) this.#arm();
  }

  /** Records what is left, unless the store is away. */
  async stop(): Promise<void> {
    this.#end();
    await this.#writing;
    if (!this.#isAway) await this.#write();
  }

  /** Stops as a killed process would; for tests. */
  crash(): void {
    this.#end();
    this.#rows.clear();
    this.#writer?.close();
  }

  #end(): void {
    this.#isEnding = true;
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    if (this.#isAway) this.#writer?.close();
  }

  #arm(): void {
    if (this.#isEnding) return;
    this.#timer ??= this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#write().finally(() => {
        this.#writing = undefined;
        if (this.#rows.size > 0) this.#arm();
      });
    }, intervalMs);
  }

  async #write(): Promise<void> {
    const events = this.#takeEvents();
    if (events.length === 0) return;
    const writer = this.#writerOfToday();
    try {
      await writer.write(events);
      this.#isAway = false;
    } catch (err) {
      // The stream's end is not known any more.
      this.#writer = undefined;
      this.#deps.log.error({ where: 'store', err }, 'what was used in a second could not be recorded');
    }
  }

  #takeEvents(): NewEvent[] {
    const { clock, random, node, ownersOf } = this.#deps;
    const rows = Array.from(this.#rows.values(), (row): UsageRow => ({ ...ownersOf(row.session), ...row }));
    this.#rows = new Map();
    const events: NewEvent[] = [];
    for (let from = 0; from < rows.length; from += maxRows) {
      const data = { rows: rows.slice(from, from + maxRows) };
      const metadata = usageCodec.stamp({ at: clock.now(), by: node });
      events.push({ id: random.uuid(), type: 'UsageRecorded', data: data as unknown as NewEvent['data'], metadata });
    }
    return events;
  }

  #writerOfToday(): SingleWriter<NewEvent> {
    const { clock, random } = this.#deps;
    const day = new Date(clock.now()).toISOString().slice(0, 10);
    if (this.#writer?.stream.startsWith(usageStream(day, '')) === true) return this.#writer;
    const onRetry = (): void => {
      this.#isAway = true;
      if (this.#isEnding) this.#writer?.close();
    };
    // A stream whose end is in doubt is not used again.
    const stream = usageStream(day, random.uuid());
    this.#writer = new SingleWriter<NewEvent>(this.#deps, { stream, revision: -1, policy: storePoll, onRetry });
    return this.#writer;
  }
}
