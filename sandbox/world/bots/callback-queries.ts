import { randomBytes } from 'node:crypto';

/** What a bot says to someone who has pressed a button. */
export interface CallbackAnswer {
  message?: string | undefined;
  alert?: boolean;
  url?: string | undefined;
  /** Seconds for which clients may repeat the answer by themselves. */
  cacheTime?: number;
}

/** For so long Telegram waits for a bot. */
const timeoutMs = 10_000;

interface Query {
  bot: number;
  /** Milliseconds since 1970. */
  expires: number;
  resolve: (answer: CallbackAnswer | undefined) => void;
}

/** Pressed buttons whose bots have not answered yet. They are not stored: a restart ends the calls that wait. */
export class CallbackQueries {
  readonly #now: () => number;
  readonly #queries = new Map<bigint, Query>();

  /** @param now milliseconds of the world's clock */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Asks a bot. The answer is undefined if none came in time. */
  ask(bot: number): { id: bigint; answer: Promise<CallbackAnswer | undefined> } {
    const id = randomBytes(8).readBigInt64LE();
    const answer = new Promise<CallbackAnswer | undefined>((resolve) => {
      this.#queries.set(id, { bot, expires: this.#now() + timeoutMs, resolve });
    });
    return { id, answer };
  }

  /** False if the bot was not asked, or too long ago. */
  answer(bot: number, id: bigint, answer: CallbackAnswer): boolean {
    const query = this.#queries.get(id);
    if (!query || query.bot !== bot) return false;
    this.#queries.delete(id);
    query.resolve(answer);
    return true;
  }

  /** Ends the queries whose time is over. */
  expire(): void {
    for (const [id, { expires, resolve }] of this.#queries) {
      if (expires > this.#now()) continue;
      this.#queries.delete(id);
      resolve(undefined);
    }
  }

  /** Ends all queries. */
  clear(): void {
    for (const { resolve } of this.#queries.values()) resolve(undefined);
    this.#queries.clear();
  }
}
