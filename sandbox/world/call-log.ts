import { redactedJson } from './redact.ts';

export interface LoggedCall {
  seq: number;
  method: string;
  /** Decimal; left out if the key is not logged in. */
  userId?: string;
  keyId: string;
  dc: number;
  layer: number;
  /** JSON. Bytes and secrets are replaced by their length. */
  params: unknown;
  /** Milliseconds since 1970. */
  time: number;
  /** The TL name of the answer; left out before it is made. */
  answer?: string;
  /** Code and name, such as `400 PEER_ID_INVALID`. */
  error?: string;
}

const maxKeptCalls = 20_000;

/** The latest RPC calls: at least 20,000 of them. */
export class CallLog {
  #calls: LoggedCall[] = [];
  #seq = 0;

  add(call: Omit<LoggedCall, 'seq' | 'params'> & { params: unknown }): LoggedCall {
    this.#seq += 1;
    const logged: LoggedCall = { ...call, seq: this.#seq, params: redactedJson(call.params) };
    this.#calls.push(logged);
    if (this.#calls.length > 2 * maxKeptCalls) this.#calls = this.#calls.slice(-maxKeptCalls);
    return logged;
  }

  /** `since`: milliseconds since 1970, inclusive. */
  list(filter: { method?: string; userId?: string; since?: number }): LoggedCall[] {
    return this.#calls.filter(
      (call) =>
        (filter.method === undefined || call.method === filter.method) &&
        (filter.userId === undefined || call.userId === filter.userId) &&
        (filter.since === undefined || call.time >= filter.since),
    );
  }

  clear(): void {
    this.#calls = [];
  }
}
