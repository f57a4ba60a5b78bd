import { createHash } from 'node:crypto';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { sleep } from '../../../actors/kit/sleep.ts';
import type { Pace } from '../../../actors/session/session-settings.ts';
import { inTurn } from '../../../src/messaging/pace/in-turn.ts';
import { Paces } from '../../../src/messaging/pace/paces.ts';
import type { PaceUse } from '../../../src/messaging/pace/session-pace.ts';
import { withSendTimeout } from '../../../src/messaging/send-timeout.ts';
import { createDrivenClock, createSeededRandomness } from '../kit/clock.ts';
import { allReadable } from '../store/all-readable.ts';
import { createFaultyStore, type Fault, type FaultyStore } from '../store/faulty-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';

/** What a caller sees of a send when the process is killed. */
export class KilledError extends Error {
  override name = 'KilledError';
}

export interface PlayedSend {
  /** Default: another session's sends have a line of their own. */
  session?: string;
  randomId?: bigint;
  /** It is a repeated try of this `randomId`. */
  isRepeated?: boolean;
  messages?: number;
  chat?: string;
  /** Default: the chat has no messages. */
  isOldChat?: boolean;
  left?: LightAbortSignal;
  /** Until Telegram has it, and again until its answer is there. */
  latencyMs?: number;
  /** Before it is ready for its turn: its files are fetched. */
  preparationMs?: number;
}

interface Process {
  store: FaultyStore;
  paces: Paces;
  died: Promise<never>;
  kill: () => void;
}

/** Accounts with a pace, over processes that are killed; Telegram and the time are played. */
export class PaceWorld {
  readonly clock = createDrivenClock();
  readonly faults: (Fault | undefined)[] = [];
  /** Messages as Telegram got them, each once: when, by `elapsed()`. */
  readonly arrivals: number[] = [];
  readonly #paces = new Map<string, Pace | undefined>();
  readonly #random = createSeededRandomness(3, this.clock);
  readonly store = createMemoryStore(this.clock);
  readonly #delivered = new Set<bigint>();
  #process: Process = this.#start();

  set(pace: Pace | undefined, session = 's1'): void {
    this.#paces.set(session, pace);
    this.#process.paces.changed(session);
  }

  /** @throws {GatewayError} {@link KilledError} */
  async send(send: PlayedSend = {}): Promise<void> {
    const process = this.#process;
    await Promise.race([this.#run(process, send), process.died]);
  }

  use(session = 's1'): Promise<PaceUse> {
    return this.#process.paces.of(session).line.use();
  }

  stop(): void {
    this.#process.paces.stop();
  }

  /** The session leaves the process in a moment. */
  leave(session = 's1'): void {
    this.#process.paces.refuseWaiting({ has: (id) => id === session });
  }

  /** Kills the process and starts the next one. */
  kill(): void {
    const { store, kill } = this.#process;
    store.crash();
    this.#process = this.#start();
    kill();
  }

  newRandomId(): bigint {
    return this.#random.bytes(8).readBigInt64BE();
  }

  #run(process: Process, options: PlayedSend): Promise<void> {
    const { session = 's1', randomId = this.newRandomId(), isRepeated = false, messages = 1, left } = options;
    const { chat, isOldChat = false, latencyMs = 0, preparationMs = 0 } = options;
    const { clock } = this;
    const mark = { randomId, begunAt: clock.now() };
    const send = {
      messages,
      begin: async () => mark,
      begun: isRepeated ? mark : undefined,
      chat: chat === undefined ? undefined : { id: chat, isNew: async () => !isOldChat },
    };
    return withSendTimeout(clock, (signal, pause) =>
      inTurn(process.paces.of(session, '1001'), send, { signal, pause, left }, async (begin) => {
        if (preparationMs > 0) await sleep(clock, preparationMs);
        await begin();
        if (latencyMs > 0) await sleep(clock, latencyMs);
        if (process !== this.#process) return;
        if (!this.#delivered.has(randomId))
          this.arrivals.push(...Array.from({ length: messages }, () => clock.elapsed()));
        this.#delivered.add(randomId);
        if (latencyMs > 0) await sleep(clock, latencyMs);
      }),
    );
  }

  #start(): Process {
    const store = createFaultyStore(this.store, () => this.faults.shift());
    const paces = new Paces({
      store,
      clock: this.clock,
      randomness: createSeededRandomness(this.arrivals.length + 5, this.clock),
      fingerprint: async (session, text) => createHash('sha256').update(`${session} ${text}`).digest(),
      paceOf: (session) => this.#paces.get(session),
      reportUnreadable: allReadable,
    });
    let kill = (): void => {};
    const died = new Promise<never>((_, reject) => {
      kill = () => reject(new KilledError('the process was killed'));
    });
    // It may die with no send under way.
    died.catch(() => {});
    return { store, paces, died, kill: () => kill() };
  }
}

/** The largest number of messages in any minute, both of its ends included. */
export function mostInAnyMinute(arrivals: readonly number[]): number {
  const times = arrivals.toSorted((one, other) => one - other);
  return Math.max(0, ...times.map((first) => times.filter((time) => time >= first && time <= first + 60_000).length));
}
