import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { ChannelBox } from '../../login/login-state.ts';
import type { KnownPeer, PeerCache } from '../../peer-cache.ts';
import { TelegramError } from '../../port/errors.ts';
import type { ChannelPosition } from '../../port/updates.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { channelDialogs, joinedChannels, laterBoxes } from './channel-dialogs.ts';
import { type AskTelegram, channelDifference, mayComeLater } from './channel-difference.ts';
import { missedReads, noteRead, numberedUpdate } from './channel-update.ts';
import type { LostReason } from './lost-updates.ts';

/** Updates may overtake one another: only a gap that lasts is a loss. */
const gapMs = 500;
/** After a failed request. */
const retryMs = 5_000;

export interface ChannelBoxesDeps {
  clock: Clock;
  call: RpcCall;
  book: PeerCache;
  signal: LightAbortSignal;
  /** Whether anything of groups or channels is wanted now. */
  isWanted: () => boolean;
  /** Where the record of some channels ends. @throws {StoreUnavailableError} */
  recorded: () => Promise<ReadonlyMap<string, number>>;
  /** An answer holds users and chats. */
  learn: (answer: unknown) => void;
  /** Called with the updates of a channel in order, and its position after them. */
  onUpdates: (updates: readonly Api.TypeUpdate[], missed: boolean, channel: ChannelPosition) => void;
  /** The account has entered or left a supergroup or channel. */
  onMembership: (id: string, isIn: boolean) => void;
  /** Whether a pushed update lacks something that a difference would have. */
  isDoubtful: (update: Api.TypeUpdate) => boolean;
  room: () => Promise<void>;
  onLost: (reason: LostReason) => void;
  /** The stored login should have the positions. */
  onChange: () => void;
}

/**
 * Follows the boxes of the account's supergroups and channels: each has a counter of its own
 * (https://core.telegram.org/api/updates). Nothing is read, and nothing kept in memory, unless it is wanted.
 */
export class ChannelBoxes {
  readonly #deps: ChannelBoxesDeps;
  /** Positions up to which updates were passed on; undefined until they are known. */
  #boxes: Map<string, ChannelBox> | undefined;
  #stored: readonly ChannelBox[];
  /** Positions up to which everything is recorded. */
  readonly #recorded = new Map<string, number>();
  /** Positions before the first updates that came while the positions were not known yet. */
  readonly #early = new Map<string, number>();
  readonly #dirty = new Set<string>();
  /** Up to where a channel may have moved on while its difference was in flight. */
  readonly #awaited = new Map<string, number>();
  #checking: Promise<void> | undefined;
  #checkAgain = false;
  /** The last look at the channels failed. */
  #isUnchecked = false;
  #isFetching = false;
  #timer: TimerHandle | undefined;

  constructor(deps: ChannelBoxesDeps, stored: readonly ChannelBox[] = []) {
    this.#deps = deps;
    this.#stored = stored;
  }

  /** The positions to be stored; undefined if there are none. */
  get snapshot(): ChannelBox[] | undefined {
    if (this.#boxes === undefined) return this.#stored.length === 0 ? undefined : [...this.#stored];
    return Array.from(this.#boxes.values(), (box) => ({ ...box, pts: this.#recorded.get(box.id) ?? box.pts }));
  }

  /** Everything of a channel up to this position is recorded. */
  noteRecorded({ id, pts }: ChannelPosition): void {
    this.#recorded.set(id, pts);
  }

  /** Looks which channels have moved on: after a connection, and when something of channels is wanted for the first time. */
  check(): void {
    if (!this.#deps.isWanted()) {
      this.#forget();
      return;
    }
    if (this.#checking !== undefined) {
      this.#checkAgain = true;
      return;
    }
    this.#isUnchecked = false;
    this.#checking = this.#check()
      .catch(() => this.#retryIn(retryMs, true))
      .finally(() => {
        this.#checking = undefined;
        if (this.#checkAgain) {
          this.#checkAgain = false;
          this.check();
        }
      });
  }

  /** Begins, if something of channels is wanted now and was not before. */
  begin(): void {
    if (!this.#deps.isWanted() || this.#boxes === undefined) this.check();
  }

  stop(): void {
    if (this.#timer !== undefined) this.#deps.clock.clearTimeout(this.#timer);
  }

  /** Handles an update. @returns whether it belongs to a channel's box, so that it is passed on when its turn has come */
  handle(update: Api.TypeUpdate): boolean {
    if (update instanceof Api.UpdateChannel) this.#noteMembership(`-100${update.channelId.toString()}`);
    if (update instanceof Api.UpdateChannelTooLong) {
      const id = `-100${update.channelId.toString()}`;
      const box = this.#boxes?.get(id);
      if (box !== undefined && (update.pts ?? Infinity) > box.pts) this.#fetch(id);
      return true;
    }
    noteRead(this.#boxes, update);
    const numbered = numberedUpdate(update);
    if (numbered === undefined) return false;
    if (this.#deps.isWanted()) this.#take(update, numbered);
    return true;
  }

  #take(update: Api.TypeUpdate, { id, pts, ptsCount }: { id: string; pts: number; ptsCount: number }): void {
    if (this.#boxes === undefined) {
      this.#early.set(id, Math.min(this.#early.get(id) ?? Infinity, pts - ptsCount));
      return;
    }
    const box = this.#boxes.get(id) ?? this.#open(id, pts - ptsCount);
    if (ptsCount > 0 ? pts <= box.pts : pts < box.pts) return;
    if (this.#dirty.has(id)) return this.#fetch(id, pts);
    if (pts - ptsCount > box.pts) {
      this.#dirty.add(id);
      this.#retryIn(gapMs);
      return;
    }
    if (this.#deps.isDoubtful(update)) return this.#fetch(id);
    box.pts = pts;
    this.#deps.onUpdates([update], false, { id, pts });
  }

  #open(id: string, pts: number): ChannelBox {
    const box = { id, pts, readInbox: 0, readOutbox: 0 };
    this.#boxes?.set(id, box);
    this.#recorded.set(id, pts);
    this.#deps.onChange();
    return box;
  }

  #forget(): void {
    if (this.#boxes === undefined && this.#stored.length === 0) return;
    this.#boxes = undefined;
    this.#stored = [];
    this.#recorded.clear();
    this.#dirty.clear();
    this.#awaited.clear();
    this.#early.clear();
    this.#deps.onChange();
  }

  async #check(): Promise<void> {
    const { book } = this.#deps;
    const before = this.#boxes ?? (await this.#load());
    if (before.size === 0) {
      const joined = await joinedChannels(this.#ask);
      this.#boxes = new Map(joined.map((box) => [box.id, box]));
      for (const box of joined) {
        box.pts = Math.min(box.pts, this.#early.get(box.id) ?? Infinity);
        this.#recorded.set(box.id, box.pts);
      }
      this.#deps.onChange();
      this.#fetchEarly();
      return;
    }
    this.#boxes = before;
    this.#fetchEarly();
    const known = [...before.keys()].flatMap((id) => book.get(id) ?? []);
    for await (const now of channelDialogs(
      this.#ask,
      known.filter(({ left }) => !left),
    )) {
      const box = before.get(now.id);
      if (box === undefined) continue;
      for (const read of missedReads(box, now)) this.#deps.onUpdates([read], true, box);
      if (now.pts > box.pts) this.#fetch(now.id);
    }
  }

  #fetchEarly(): void {
    for (const [id, pts] of this.#early) {
      if (this.#boxes?.has(id) === false) this.#open(id, pts);
      this.#fetch(id);
    }
    this.#early.clear();
  }

  /** The stored positions, and those of the record that are later. */
  async #load(): Promise<Map<string, ChannelBox>> {
    const boxes = laterBoxes(this.#stored, await this.#deps.recorded());
    for (const { id, pts } of boxes.values()) this.#recorded.set(id, pts);
    return boxes;
  }

  #noteMembership(id: string): void {
    if (this.#boxes === undefined) return;
    const peer = this.#deps.book.get(id);
    const isIn = peer !== undefined && !peer.left;
    if (isIn === this.#boxes.has(id)) return;
    this.#deps.onMembership(id, isIn);
    if (isIn) {
      this.#open(id, 0);
      this.#fetch(id);
    } else {
      this.#boxes.delete(id);
      this.#recorded.delete(id);
      this.#deps.onChange();
    }
  }

  #retryIn(delayMs: number, isUnchecked = false): void {
    if (this.#deps.signal.aborted) return;
    this.#isUnchecked ||= isUnchecked;
    this.#timer ??= this.#deps.clock.setTimeout(() => {
      this.#timer = undefined;
      if (this.#isUnchecked || this.#boxes === undefined) this.check();
      if (this.#boxes !== undefined) void this.#work();
    }, delayMs);
  }

  #fetch(id: string, pts = Infinity): void {
    this.#dirty.add(id);
    this.#awaited.set(id, Math.max(this.#awaited.get(id) ?? 0, pts));
    void this.#work();
  }

  /** Fetches the differences of all channels that may have moved on, one at a time. One that fails holds up no other. */
  async #work(): Promise<void> {
    if (this.#isFetching) return;
    this.#isFetching = true;
    for (const id of this.#dirty) {
      const box = this.#boxes?.get(id);
      this.#awaited.delete(id);
      const failure = box && (await this.#difference(box).catch((error: unknown) => error));
      if (this.#deps.signal.aborted) break;
      const isLeft = mayComeLater(failure);
      // Without a connection the others fail as well.
      if (isLeft && !(failure instanceof TelegramError)) break;
      if (!isLeft) this.#dirty.delete(id);
      // A push while it was fetched may have come after it.
      if (!isLeft && box && (this.#awaited.get(id) ?? 0) > box.pts) this.#dirty.add(id);
    }
    this.#isFetching = false;
    if (this.#dirty.size > 0) this.#retryIn(retryMs);
  }

  /** Fetches until nothing is left. */
  async #difference(box: ChannelBox): Promise<void> {
    const { signal, book, room, onLost } = this.#deps;
    const peer = book.get(box.id);
    if (peer === undefined || peer.left) return;
    for (;;) {
      await room();
      if (signal.aborted) return;
      // A channel that was entered just now begins with what it has.
      if (box.pts <= 0) return this.#restart(box, peer);
      const step = await channelDifference(this.#ask, peer, box.pts);
      if (step === undefined) return;
      if (step.lost !== undefined) onLost(step.lost);
      if (step.pts === undefined) return this.#restart(box, peer);
      this.#moveTo(box, step.pts, step.updates);
      if (step.isFinal) return;
    }
  }

  /** Goes on from the channel's present position. */
  async #restart(box: ChannelBox, peer: KnownPeer): Promise<void> {
    for await (const now of channelDialogs(this.#ask, [peer])) {
      box.readInbox = now.readInbox;
      box.readOutbox = now.readOutbox;
      this.#moveTo(box, now.pts, []);
    }
  }

  readonly #ask: AskTelegram = async (request) => {
    const { call, signal, learn } = this.#deps;
    const answer = await call(request, signal);
    learn(answer);
    return answer;
  };

  #moveTo(box: ChannelBox, pts: number, updates: readonly Api.TypeUpdate[]): void {
    box.pts = pts;
    this.#deps.onUpdates(updates, true, { id: box.id, pts });
  }
}
