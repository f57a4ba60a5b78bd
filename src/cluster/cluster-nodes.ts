import { LightAbort } from '../../actors/kit/light-abort.ts';
import { mapConcurrent } from '../../actors/kit/map-concurrent.ts';
import { retry } from '../../actors/kit/retry.ts';
import { storePoll } from '../../actors/kit/retry-policy.ts';
import type { TimerHandle } from '../../actors/ports/clock.ts';
import { type RecordedEvent, StoreUnavailableError, type Subscription } from '../../actors/ports/event-store.ts';
import type { Cluster, ClusterNode, NodeReport, SessionPlace } from './cluster.ts';
import { ClusterChanges } from './cluster-changes.ts';
import type { ClusterNodesDeps, ClusterNodesOptions } from './cluster-nodes-deps.ts';
import { followCluster } from './follow-cluster.ts';
import { AnsweringStore } from './leases/answering-store.ts';
import { leasePrefix } from './leases/lease-codec.ts';
import { LeaseKeeper } from './leases/lease-keeper.ts';
import { LeaseNews } from './leases/lease-news.ts';
import { defaultLeaseMs, type LeaseTimes, leaseTimes } from './leases/lease-times.ts';
import { Heartbeat } from './members/heartbeat.ts';
import { HeartbeatSchedule } from './members/heartbeat-schedule.ts';
import { Members } from './members/members.ts';
import { type NodeState, nodeStream } from './members/node-codec.ts';
import { reportsOf } from './members/node-reports.ts';
import { newSessionId } from './new-session-id.ts';
import { oncePerTurn } from './once-per-turn.ts';
import type { OwnedPart } from './owned-part.ts';
import { partitionCount, partitionOf } from './partitions.ts';
import type { Circumstances } from './placement.ts';

/** Streams read at the same time at the start. */
const readsAtOnce = 16;

/** This process as one of several that share a store: it takes its share of the partitions and knows the owners of the others. */
export class ClusterNodes implements Cluster {
  readonly self: ClusterNode;
  readonly #deps: ClusterNodesDeps;
  readonly #times: LeaseTimes;
  readonly #crashed = new LightAbort();
  /** Ends a start that waits for the store. */
  readonly #ending = new LightAbort();
  readonly #store: AnsweringStore;
  readonly #members: Members;
  readonly #heartbeat: Heartbeat;
  readonly #beats: HeartbeatSchedule;
  readonly #keeper: LeaseKeeper;
  readonly #news: LeaseNews;
  readonly #changes = new ClusterChanges();
  /** Partitions are taken and given up together, so their changes come together. */
  readonly #noteChange = oncePerTurn(() => this.#changed());
  #subscription: Subscription | undefined;
  #state: NodeState = 'joining';
  #activeAt = Infinity;
  #starting: Promise<void> | undefined;
  /** When the store came back the last time. */
  #caughtUpAt = -Infinity;
  #isFollowing = false;
  #isStepping = false;
  #isErasing = false;
  #timer: TimerHandle | undefined;

  constructor(
    deps: ClusterNodesDeps,
    { self, leaseMs = defaultLeaseMs, partitions = partitionCount }: ClusterNodesOptions,
  ) {
    const { clock, reportUnreadable } = deps;
    const times = leaseTimes(leaseMs);
    const store = new AnsweringStore(deps.store, clock, this.#crashed);
    this.self = self;
    this.#deps = deps;
    this.#times = times;
    this.#store = store;
    this.#members = new Members({ clock, reportUnreadable, times, self });
    this.#heartbeat = new Heartbeat({ ...deps, store }, self, leaseMs);
    const keeping = {
      ...deps,
      store,
      times,
      self: self.name,
      crashed: this.#crashed,
      takesShare: (name: string) => this.#members.takesShare(name),
      onChange: this.#noteChange,
    };
    this.#keeper = new LeaseKeeper(keeping, partitions);
    this.#news = new LeaseNews(this.#keeper.leases);
    this.#beats = new HeartbeatSchedule({
      clock,
      times,
      store,
      heartbeat: this.#heartbeat,
      news: this.#news,
      onChange: () => this.#changed(),
    });
  }

  /** The part takes behind those that are registered, and releases before them. To be called before the start. */
  register(part: OwnedPart): void {
    this.#keeper.register(part);
  }

  /**
   * Joins the others, as soon as the store answers. Resolves when it knows the owner of each partition; it takes its own share a
   * moment later.
   * @throws {StoreUnavailableError} it was stopped before
   */
  start(): Promise<void> {
    this.#starting = this.#start();
    return this.#starting;
  }

  async #start(): Promise<void> {
    const { clock, random } = this.#deps;
    const patiently = <T>(work: () => Promise<T>): Promise<T> =>
      retry({ clock, random }, storePoll, work, this.#ending);
    const joined = await patiently(async () => {
      const position = await this.#heartbeat.seen('joining', {});
      if (position === undefined)
        throw new StoreUnavailableError('the event store does not say that the node is there');
      return position;
    });
    this.#ending.throwIfAborted();
    // Every live node answers that event with a heartbeat, so nothing before it has to be read.
    this.#subscription = followCluster(this.#deps, joined, (recorded) => this.#hear(recorded));
    await mapConcurrent(this.#keeper.leases, readsAtOnce, (lease) => patiently(() => lease.read()));
    this.#ending.throwIfAborted();
    this.#isFollowing = true;
    this.#activeAt = clock.elapsed() + this.#times.stepMs;
    this.#beats.noteOne();
    this.#changed();
  }

  /**
   * Gives all partitions up, and records that it has left; if the store is away, the leases end by themselves. It follows the
   * other nodes until {@link end}, so that late requests still reach their owners.
   */
  async leave(): Promise<void> {
    this.#ending.abort(new StoreUnavailableError('the node is stopped'));
    this.#beatAs('leaving');
    await this.#starting?.catch(() => {});
    await this.#keeper.stop();
    this.#isFollowing = false;
    await this.#beats.ended();
    if (this.#store.answers) await this.#heartbeat.left();
  }

  /** Ends without the store: the parts stop at once what they still do, and the leases end by themselves. */
  abandon(): void {
    void this.#keeper.abandon();
    this.crash();
  }

  /** Ends as a killed process does, without another word. */
  crash(): void {
    this.#isFollowing = false;
    const reason = new StoreUnavailableError('the node has crashed');
    this.#crashed.abort(reason);
    this.#ending.abort(reason);
    void this.end();
  }

  /** Whether it takes its share, and its parts serve all that it has. */
  get isSettled(): boolean {
    return this.#state === 'active' && this.#keeper.isSettled;
  }

  owns(sessionId: string): boolean {
    return this.ownsPartition(partitionOf(sessionId));
  }

  ownsPartition(number: number): boolean {
    return !this.#crashed.aborted && this.#keeper.owns(number);
  }

  epochOf(sessionId: string): number | undefined {
    return this.#keeper.epochOf(partitionOf(sessionId));
  }

  /** The ID of a session that this process acts for, in the partition of its external ID. See {@link newSessionId}. */
  newSessionId(draw: () => string, externalKey?: string): string | undefined {
    return newSessionId(this.served(), draw, externalKey === undefined ? undefined : partitionOf(externalKey));
  }

  served(): readonly number[] {
    return this.#keeper.which((partition) => this.#keeper.serves(partition));
  }

  placeOf(sessionId: string): SessionPlace {
    const partition = partitionOf(sessionId);
    if (this.#keeper.serves(partition)) return { kind: 'here' };
    const holder = this.#keeper.holderOf(partition);
    const node = holder === undefined ? undefined : this.#members.nodeOf(holder);
    return node === undefined ? { kind: 'changing' } : { kind: 'there', node };
  }

  changed(signal: AbortSignal): Promise<void> {
    return this.#changes.next(signal);
  }

  nodes(): readonly NodeReport[] {
    const own = this.#keeper.which((partition) => this.#keeper.owns(partition));
    return [
      { ...this.self, isSelf: true, partitions: own, heardOfMsAgo: 0 },
      ...reportsOf(this.#members.live(), this.#keeper),
    ];
  }

  silentNodes(): readonly NodeReport[] {
    return reportsOf(this.#members.silent(), this.#keeper);
  }

  #hear(recorded: RecordedEvent): void {
    this.#members.listened();
    if (recorded.stream.startsWith(leasePrefix)) return this.#keeper.see(recorded);
    const heard = this.#members.hear(recorded);
    if (heard?.isNew === true) this.#beats.ask();
    if (heard !== undefined && !this.#news.hear(heard, heard.leases)) this.#members.toldInPart(heard.name);
    this.#noteChange();
  }

  /** Looks what is to be done, and wakes the callers of {@link changed}. */
  #changed(): void {
    if (this.#isStepping) return;
    this.#isStepping = true;
    try {
      if (this.#isFollowing) this.#step();
    } finally {
      this.#isStepping = false;
    }
    this.#changes.happened();
  }

  #step(): void {
    const now = this.#deps.clock.elapsed();
    if (this.#state === 'joining' && now >= this.#activeAt) this.#beatAs('active');
    const isBeatDue = now >= this.#beats.dueAt;
    for (const { end } of this.#keeper.leases)
      if (end?.holder?.name !== undefined) this.#members.mention(end.holder.name);
    if (this.#store.answers && this.#store.answersSince > this.#caughtUpAt) this.#catchUp();
    for (const { name, isOverdue } of this.#members.late()) this.#news.late(name, isOverdue);
    this.#keeper.step(this.#circumstances);
    // It tells of the renewals of this moment, which have begun.
    if (isBeatDue) this.#beats.begin(this.#state);
    const [gone] = this.#members.gone();
    if (gone !== undefined && !this.#isErasing && this.#store.answers) void this.#eraseGone(gone);
    this.#arm(now);
  }

  /** After an outage in which others may have renewed their leases. */
  #catchUp(): void {
    this.#caughtUpAt = this.#store.answersSince;
    if (this.#store.wasAwayMs >= this.#times.renewMs) this.#news.catchUp();
  }

  #arm(now: number): void {
    const { clock } = this.#deps;
    const activeAt = this.#state === 'joining' ? this.#activeAt : Infinity;
    const dueAt = Math.min(
      this.#beats.dueAt,
      activeAt,
      this.#members.nextChangeAt,
      this.#keeper.dueAt(this.#circumstances),
    );
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    // At least a millisecond: by rounding, a timer may come a moment early.
    this.#timer = clock.setTimeout(() => this.#changed(), Math.max(1, dueAt - now));
  }

  get #circumstances(): Circumstances {
    return {
      placements: this.#members.placements(this.#state === 'active'),
      mayTake: this.#state === 'active' && this.#store.answers,
      reachableSince: this.#store.answersSince,
    };
  }

  /** Has the others know at once. */
  #beatAs(state: NodeState): void {
    this.#state = state;
    this.#beats.ask();
    this.#changed();
  }

  /** The stream of a node that was killed. Each node does so; the second finds nothing. */
  async #eraseGone(name: string): Promise<void> {
    this.#isErasing = true;
    try {
      await this.#store.erase(nodeStream(name));
      this.#members.forget(name);
    } catch {
      // The next heartbeat tries again.
    }
    this.#isErasing = false;
  }

  /** After {@link leave}: it hears of nothing any more. */
  async end(): Promise<void> {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changes.happened();
    await this.#subscription?.stop();
  }
}
