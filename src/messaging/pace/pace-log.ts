import type { Randomness } from '../../../actors/ports/clock.ts';
import { isUnreadable, type ReportUnreadable } from '../../../actors/ports/event-codec.ts';
import type { Json } from '../../../actors/ports/event-store.ts';
import { mustOwn, type Ownership, soleOwner } from '../../../actors/ports/ownership.ts';
import { sendCodec } from '../send-codec.ts';
import { type ChatBegun, newChatsStream, paceStream, type TurnTaken } from './pace-events.ts';
import { RecentFacts, type RecentFactsDeps } from './recent-facts.ts';
import { dayMs } from './turns.ts';

/** A send ends within this time of its turn (MS6). */
const maxSendMs = 240_000;
/** Longer than a minute's messages can matter. */
const turnsKeptMs = 10 * 60_000;

export interface PaceLogDeps extends Omit<RecentFactsDeps, 'random' | 'mustOwn'> {
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  randomness: Pick<Randomness, 'uuid' | 'fraction'>;
  reportUnreadable: ReportUnreadable;
}

/** What the log says about an account's pace. Times in milliseconds since 1970. */
export interface RecordedPace {
  turns: { messages: number; send: string; at: number; endedAt: number }[];
  /** By fingerprint: when the account first wrote to it. */
  chats: Map<string, number>;
}

/** The turns and the new chats of one session, over crashes (OS7). */
export class PaceLog {
  readonly #deps: PaceLogDeps;
  readonly #sessionId: string;
  readonly #turns: RecentFacts;
  readonly #chats: RecentFacts;

  constructor(deps: PaceLogDeps, sessionId: string) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    const { store, clock, randomness, ownership = soleOwner } = deps;
    const facts = { store, clock, random: randomness, mustOwn: () => mustOwn(ownership, sessionId) };
    this.#turns = new RecentFacts(facts, paceStream(sessionId), turnsKeptMs);
    this.#chats = new RecentFacts(facts, newChatsStream(sessionId), dayMs);
  }

  /**
   * What is recorded, as it has to be counted now: a turn whose end is not known lasted until now, if a send can last as
   * long. An event that cannot be read counts as one message of its time. @throws {StoreUnavailableError}
   */
  async read(): Promise<RecordedPace> {
    const now = this.#deps.clock.now();
    const turns: (TurnTaken & { endedAt: number })[] = [];
    for await (const { created, data } of this.#events(paceStream(this.#sessionId))) {
      const turn = { messages: 1, send: '', openSince: 0, endedBy: 0, ...(data as Partial<TurnTaken>) };
      const at = Math.min(turn.at ?? created, now);
      turns.push({ ...turn, at, endedAt: Math.min(at + maxSendMs, now) });
    }
    markEnds(turns);
    const chats = new Map<string, number>();
    for await (const { created, data } of this.#events(newChatsStream(this.#sessionId))) {
      const { at = created, chat = '' } = data as Partial<ChatBegun>;
      chats.set(chat, Math.min(at, now));
    }
    return { turns, chats };
  }

  /** @throws {StoreUnavailableError} */
  async turnTaken(turn: TurnTaken): Promise<void> {
    await this.#turns.record(this.#event('TurnTaken', { ...turn }));
  }

  /** @throws {StoreUnavailableError} */
  async chatBegun(chat: ChatBegun): Promise<void> {
    await this.#chats.record(this.#event('ChatBegun', { ...chat }));
  }

  #event(type: string, data: { [name: string]: Json }) {
    return { id: this.#deps.randomness.uuid(), type, data, metadata: sendCodec.stamp({}) };
  }

  async *#events(stream: string): AsyncGenerator<{ created: number; data: object }> {
    for await (const recorded of this.#deps.store.read(stream)) {
      const event = sendCodec.decode(recorded);
      if (isUnreadable(event)) this.#deps.reportUnreadable(event);
      yield { created: recorded.created, data: isUnreadable(event) ? {} : event.data };
    }
  }
}

/** A turn had ended by the time of a later one that did not find it under way. */
function markEnds(turns: (Pick<TurnTaken, 'at' | 'openSince' | 'endedBy'> & { endedAt: number })[]): void {
  let next = 0;
  for (const [place, turn] of turns.entries()) {
    next = Math.max(next, place + 1);
    while (next < turns.length && (turns[next]?.openSince ?? 0) <= turn.at) next += 1;
    const after = turns[next];
    if (after !== undefined) turn.endedAt = Math.min(turn.endedAt, Math.max(turn.at, after.endedBy));
  }
}
