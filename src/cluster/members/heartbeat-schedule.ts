import { TimeoutError, withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { AnsweringStore } from '../leases/answering-store.ts';
import type { LeaseNews } from '../leases/lease-news.ts';
import { type LeaseTimes, nextRenewalAt } from '../leases/lease-times.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { NodeState } from './node-codec.ts';

interface HeartbeatScheduleDeps {
  clock: Clock;
  times: LeaseTimes;
  store: Pick<AnsweringStore, 'answers'>;
  heartbeat: Pick<Heartbeat, 'seen'>;
  news: Pick<LeaseNews, 'own' | 'isOwnWhole' | 'renewed'>;
  /** A heartbeat has ended, well or not, or {@link HeartbeatSchedule.dueAt} is earlier now. */
  onChange: () => void;
}

const renewalsTakeLong = (): Error => new TimeoutError('the renewals take long');

/** When this process's node says that it is there. */
export class HeartbeatSchedule {
  readonly #deps: HeartbeatScheduleDeps;
  /** Another state or a newcomer asks for a heartbeat at once. */
  #isAsked = false;
  /** Whether one follows as soon as no renewal is under way. */
  #awaitsRenewals = false;
  #lastAt = -Infinity;
  #running: Promise<void> | undefined;

  constructor(deps: HeartbeatScheduleDeps) {
    this.#deps = deps;
  }

  /** Has the next one follow at once. */
  ask(): void {
    this.#isAsked = true;
  }

  /** When the next one follows, by the clock's `elapsed()`. It also finds out whether the store is back. */
  get dueAt(): number {
    const { times, store } = this.#deps;
    if (this.#running !== undefined) return Infinity;
    if (this.#isAsked) return -Infinity;
    return store.answers ? nextRenewalAt(times, this.#lastAt) : this.#lastAt + times.stepMs;
  }

  /** A heartbeat has been recorded now, by other means. */
  noteOne(): void {
    this.#lastAt = this.#deps.clock.elapsed();
  }

  /** To be called when one is due, after the renewals of the same moment have begun: it tells of them. */
  begin(state: NodeState): void {
    this.noteOne();
    this.#isAsked = false;
    this.#running = this.#run(state);
  }

  /** Resolves when none is under way. */
  async ended(): Promise<void> {
    await this.#running;
  }

  async #run(state: NodeState): Promise<void> {
    const { clock, times, heartbeat, news, onChange } = this.#deps;
    await withTimeout(clock, times.stepMs / 2, renewalsTakeLong, () => news.renewed()).catch(() => {});
    const { isOwnWhole } = news;
    await heartbeat.seen(state, news.own);
    this.#running = undefined;
    if (!isOwnWhole && !this.#awaitsRenewals) void this.#askOnceRenewed();
    onChange();
  }

  /** The others wait to hear of the renewals that took long. */
  async #askOnceRenewed(): Promise<void> {
    this.#awaitsRenewals = true;
    await this.#deps.news.renewed();
    this.#awaitsRenewals = false;
    this.ask();
    this.#deps.onChange();
  }
}
