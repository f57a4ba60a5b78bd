export interface LoggedCall {
  seq: number;
  method: string;
  /** Decimal; left out where nobody is logged in. */
  userId?: string;
  keyId: string;
  dc: number;
  layer: number;
  /** JSON; bytes as their length, secrets as their length. */
  params: unknown;
  /** Milliseconds since 1970. */
  time: number;
  /** The TL name of the answer, once there is one. */
  answer?: string;
  /** `400 PEER_ID_INVALID`. */
  error?: string;
}

const keptCalls = 20_000;
/** Parameters whose text is nobody's business, however they are spelt. */
const secretFields = new Set(['password', 'api_hash', 'new_password', 'email', 'phone_code', 'bot_auth_token']);

/** The RPC calls received, the newest 20,000 of them. */
export class CallLog {
  #calls: LoggedCall[] = [];
  #seq = 0;

  add(call: Omit<LoggedCall, 'seq' | 'params'> & { params: unknown }): LoggedCall {
    this.#seq += 1;
    const logged: LoggedCall = { ...call, seq: this.#seq, params: describe(call.params) };
    this.#calls.push(logged);
    if (this.#calls.length > 2 * keptCalls) this.#calls = this.#calls.slice(-keptCalls);
    return logged;
  }

  /** `since`: calls at this time (ms) or later. */
  list(filter: { method?: string; userId?: string; since?: number }): LoggedCall[] {
    return this.#calls.filter(
      (call) =>
        (filter.method === undefined || call.method === filter.method) &&
        (filter.userId === undefined || call.userId === filter.userId) &&
        (filter.since === undefined || call.time >= filter.since),
    );
  }

  get total(): number {
    return this.#seq;
  }

  clear(): void {
    this.#calls = [];
  }
}

/** A parameter as JSON that gives no secret away. */
export function describe(value: unknown, field = ''): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Buffer.isBuffer(value)) return { bytes: value.length };
  if (secretFields.has(field)) return typeof value === 'string' ? { characters: value.length } : { hidden: true };
  if (Array.isArray(value)) return value.map((item) => describe(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, describe(inner, name)]));
}
