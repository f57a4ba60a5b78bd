import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { withTimeout } from '../../../actors/kit/timeout.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { Pace } from '../../../actors/session/session-settings.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { PaceLog } from './pace-log.ts';
import { dayAfter, minuteAfter, requireFit, type Taken, turnsOf, type Waiting } from './turns.ts';

/** OS7: a turn that is further away is refused. */
const maxWaitMs = 240_000;

export interface SessionPaceDeps {
  clock: Clock;
  log: Pick<PaceLog, 'read' | 'turnTaken' | 'chatBegun'>;
  /** As it is set now; undefined: none. */
  pace: () => Pace | undefined;
  /** Aborted when the process stops. */
  stopping: LightAbortSignal;
}

/** A send that asks for a turn. */
export interface Joining {
  messages: number;
  /** Fingerprint of its chat, if that has no messages. */
  chat?: string | undefined;
  /** `random_id` of an earlier try, decimal: it counts once. */
  send?: string | undefined;
}

/** Times by the clock's `elapsed()`, but `at`. */
interface Turn extends Taken {
  send: string;
  /** Milliseconds since 1970. */
  at: number;
  isRecorded: boolean;
}

/** The place of one send in the line of its account, and its turn once that has come. */
export interface PlaceInLine extends Joining {
  /** Set while it is ready for its turn. */
  ready?: { take: () => void; refuse: (error: Error) => void } | undefined;
  turn?: Turn | undefined;
}

/** How much of a pace is used. */
export interface PaceUse {
  /** Sends that wait for their turn. */
  waiting: number;
  /** When one more message would have its turn, milliseconds since 1970. */
  nextTurn: number;
  /** Messages of the last minute. */
  lastMinute: number;
  /** Chats of the last 24 hours that had no messages before. */
  newChats: number;
}

/** The pace of one account (OS7): its sends in line, their turns, and the log that outlives the process. */
export class SessionPace {
  readonly #deps: SessionPaceDeps;
  #turns: Turn[] = [];
  /** New chats by fingerprint: when they were first written to, the oldest first. */
  readonly #chats = new Map<string, { at: number; isRecorded: boolean }>();
  /** In the order of their arrival. */
  readonly #line = new Set<PlaceInLine>();
  /** When the last turn ended, milliseconds since 1970. */
  #lastEnd: number | undefined;
  #reading: Promise<void> | undefined;
  #timer: TimerHandle | undefined;
  readonly #ending = new LightAbort();

  constructor(deps: SessionPaceDeps) {
    this.#deps = deps;
  }

  /** As it is set now; undefined: none. */
  get pace(): Pace | undefined {
    return this.#deps.pace();
  }

  /** Whether no send is in line or under way. */
  get isIdle(): boolean {
    return this.#line.size === 0;
  }

  /**
   * Joins the line, which {@link leave} ends.
   * @throws {GatewayError} 429: its turn is too far away; 400: it has more messages than a minute allows
   * @throws {StoreUnavailableError} {@link UnreadableEventError}
   */
  async join(joining: Joining): Promise<PlaceInLine> {
    await this.#read();
    const place: PlaceInLine = { ...joining };
    requireFit(place, this.pace);
    if (this.#earlierTurn(place) === undefined) this.#requireNear(place);
    this.#line.add(place);
    return place;
  }

  /** Resolves when the turn has come. @throws {GatewayError} 429: it takes too long. And the reasons of the signals. */
  async awaitTurn(place: PlaceInLine, ...signals: readonly (LightAbortSignal | undefined)[]): Promise<void> {
    const { clock, stopping } = this.#deps;
    const ready = (): Promise<void> =>
      new Promise((take, refuse) => {
        place.ready = { take, refuse };
        this.advance();
      });
    const late = (): Error => this.#tooFar(this.#turnOf(place));
    try {
      await withTimeout(clock, maxWaitMs, late, ready, ...signals, stopping, this.#ending);
    } finally {
      place.ready = undefined;
    }
  }

  /** Those that wait for their turn now are refused with the error. */
  refuseWaiting(error: Error): void {
    for (const { ready, turn } of this.#line) if (turn === undefined) ready?.refuse(error);
  }

  /** Another process gives the turns from now on: those that wait are refused with the error. */
  end(error: Error): void {
    this.#ending.abort(error);
  }

  /** Records the turn, before Telegram is called. @throws {StoreUnavailableError} */
  async record({ turn, messages, chat = '' }: PlaceInLine, send: string): Promise<void> {
    if (turn === undefined || turn.isRecorded) return;
    turn.send = send;
    const { log } = this.#deps;
    const { at } = turn;
    const begun = this.#chats.get(chat);
    if (begun?.isRecorded === false) {
      await log.chatBegun({ at, chat });
      begun.isRecorded = true;
    }
    const open = this.#turns.filter(({ endedAt }) => endedAt === undefined);
    const openSince = Math.min(at, ...open.map((other) => other.at));
    await log.turnTaken({ at, messages, send, openSince, endedBy: this.#lastEnd ?? at });
    turn.isRecorded = true;
  }

  /** The send has ended, or is given up. A turn that was not recorded was not used. */
  leave(place: PlaceInLine): void {
    const { turn } = place;
    this.#line.delete(place);
    if (turn?.isRecorded === true) {
      turn.endedAt = this.#deps.clock.elapsed();
      this.#lastEnd = this.#deps.clock.now();
    } else if (turn !== undefined) {
      this.#turns = this.#turns.filter((other) => other !== turn);
      this.#forgetUnused(place.chat);
    }
    this.advance();
  }

  /** A new chat that no send with a turn writes to uses up no place of the day. */
  #forgetUnused(chat = ''): void {
    const isUsed = [...this.#line].some((place) => place.chat === chat && place.turn !== undefined);
    if (!isUsed && this.#chats.get(chat)?.isRecorded === false) this.#chats.delete(chat);
  }

  /** @throws {StoreUnavailableError} */
  async use(): Promise<PaceUse> {
    await this.#read();
    const { clock } = this.#deps;
    this.#forgetOld(clock.elapsed());
    return {
      waiting: [...this.#line].filter(({ turn }) => turn === undefined).length,
      nextTurn: clock.now() + Math.ceil(this.#turnOf({ messages: 1 }) - clock.elapsed()),
      lastMinute: this.#turns.reduce((sum, { messages }) => sum + messages, 0),
      newChats: this.#chats.size,
    };
  }

  /** Gives turns to those for whom it is time, in the order of the line. Also to be called when the pace was changed. */
  advance(): void {
    const { clock } = this.#deps;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const now = clock.elapsed();
    this.#forgetOld(now);
    let isFull = false;
    for (const place of this.#line) {
      if (place.ready === undefined || place.turn !== undefined) continue;
      const earlier = this.#earlierTurn(place);
      if (earlier !== undefined) this.#take(place, earlier);
      else if (!isFull) isFull = !this.#mayGoOn(place, now);
    }
    const isAnyReady = [...this.#line].some(({ ready, turn }) => ready !== undefined && turn === undefined);
    const next = isAnyReady ? this.#nextFree() : undefined;
    if (next !== undefined) this.#timer = clock.setTimeout(() => this.advance(), Math.max(1, next - now));
  }

  /** @returns false if those behind it have to wait, too */
  #mayGoOn(place: PlaceInLine, now: number): boolean {
    const { pace = {} } = this;
    try {
      requireFit(place, pace);
    } catch (error) {
      place.ready?.refuse(error as Error);
      return true;
    }
    const isNew = this.#isNew(place);
    const { messages } = place;
    const { perMinute } = pace;
    const minute = perMinute === undefined ? {} : { perMinute };
    if (isNew && this.#chats.size >= (pace.newChatsPerDay ?? Infinity)) return true;
    if ((turnsOf(minute, this.#turns, [], [{ messages, isNew: false }], now)[0] ?? now) > now) return false;
    if (isNew && place.chat !== undefined) this.#chats.set(place.chat, { at: now, isRecorded: false });
    const turn = { messages, endedAt: undefined, send: '', at: this.#deps.clock.now(), isRecorded: false };
    this.#turns.push(turn);
    this.#take(place, turn);
    return true;
  }

  #take(place: PlaceInLine, turn: Turn): void {
    turn.endedAt = undefined;
    place.turn = turn;
    place.ready?.take();
  }

  #earlierTurn({ send }: PlaceInLine): Turn | undefined {
    return send === undefined ? undefined : this.#turns.find((turn) => turn.send === send);
  }

  #isNew({ chat }: Joining): boolean {
    return chat !== undefined && !this.#chats.has(chat);
  }

  /** @throws {GatewayError} 429 */
  #requireNear(place: PlaceInLine): void {
    const turn = this.#turnOf(place);
    if (turn - this.#deps.clock.elapsed() > maxWaitMs) throw this.#tooFar(turn);
  }

  #tooFar(turn: number): GatewayError {
    const seconds = Math.max(1, Math.ceil((turn - this.#deps.clock.elapsed()) / 1000));
    return new GatewayError(429, `the next turn of this account’s pace is in ${seconds} seconds`, seconds);
  }

  /** When the send would have its turn, by `elapsed()`, behind those that are in line before it. */
  #turnOf(place: PlaceInLine): number {
    const now = this.#deps.clock.elapsed();
    const ahead: Waiting[] = [];
    const chats = new Set<string>();
    for (const other of [...this.#line, place]) {
      if (other.turn !== undefined) continue;
      const isNew = this.#isNew(other) && !chats.has(other.chat ?? '');
      if (other.chat !== undefined) chats.add(other.chat);
      ahead.push({ messages: other.messages, isNew });
      if (other === place) break;
    }
    return turnsOf(this.pace ?? {}, this.#turns, this.#begun(), ahead, now).at(-1) ?? now;
  }

  /** When a place in a minute or a day is free again, unless that depends on what is under way. */
  #nextFree(): number | undefined {
    const ends = this.#turns.flatMap(({ endedAt }) => (endedAt === undefined ? [] : [minuteAfter(endedAt)]));
    const [oldest] = this.#begun();
    const times = oldest === undefined ? ends : [...ends, dayAfter(oldest)];
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** When the new chats of the last day were first written to. */
  #begun(): number[] {
    return Array.from(this.#chats.values(), ({ at }) => at);
  }

  #forgetOld(now: number): void {
    this.#turns = this.#turns.filter(({ endedAt }) => endedAt === undefined || minuteAfter(endedAt) > now);
    for (const [chat, { at }] of this.#chats) if (dayAfter(at) <= now) this.#chats.delete(chat);
  }

  /** What earlier processes recorded, once. */
  async #read(): Promise<void> {
    this.#reading ??= this.#readLog();
    try {
      await this.#reading;
    } catch (error) {
      this.#reading = undefined;
      throw error;
    }
  }

  async #readLog(): Promise<void> {
    const { clock, log } = this.#deps;
    const { turns, chats } = await log.read();
    const sinceEpoch = clock.now() - clock.elapsed();
    for (const { endedAt, ...turn } of turns) {
      this.#lastEnd = Math.max(this.#lastEnd ?? 0, endedAt);
      this.#turns.push({ ...turn, endedAt: endedAt - sinceEpoch, isRecorded: true });
    }
    for (const [chat, at] of [...chats].toSorted(([, one], [, other]) => one - other)) {
      this.#chats.set(chat, { at: at - sinceEpoch, isRecorded: true });
    }
    this.#forgetOld(clock.elapsed());
  }
}
