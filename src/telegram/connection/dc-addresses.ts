import type { Clock } from '../../../actors/ports/clock.ts';
import type { DcAddress } from './network.ts';

/** Keeps what Telegram said of its addresses, beyond the process. */
export interface AddressStore {
  load(): readonly DcAddress[];
  save(addresses: readonly DcAddress[]): void;
}

/** Telegram's configuration is valid for about an hour (`expires` of help.getConfig). */
const validMs = 3_600_000;
const findEveryMs = 20_000;
/** Shorter outages are the network's, not those of an address (SE8). */
const graceMs = 10_000;
/** Other ports of an address that is not bound to one (TDLib, `ConnectionCreator.cpp`). */
const otherPorts = [443, 80, 5222];

interface Candidates {
  addresses: readonly DcAddress[];
  /** The index of the one that is used now. */
  current: number;
  /** The index of the last that worked. */
  proven: number | undefined;
  /** The index of the one of the others that was used last. */
  other: number;
  /** Addresses that have failed in a row, and since when. */
  failures: number;
  failingSince: number;
}

/**
 * The addresses of the data centres: those that Telegram told first (`help.getConfig`), then the built-in ones. An address
 * that works stays. One that fails is followed by the last that worked, and that one by the next of the others: an outage
 * ends for an address that works as soon as it ends, however many of the others never answer.
 */
export class DcAddresses {
  readonly clock: Pick<Clock, 'elapsed'>;
  readonly #builtIn: readonly DcAddress[];
  readonly #store: AddressStore | undefined;
  #told: readonly DcAddress[];
  #byDc: Map<number, Candidates>;
  #askAgainAt = 0;
  readonly #findAgainAt = new Map<number, number>();

  constructor(clock: Pick<Clock, 'elapsed'>, builtIn: readonly DcAddress[], store?: AddressStore) {
    this.clock = clock;
    this.#builtIn = builtIn;
    this.#store = store;
    this.#told = store?.load() ?? [];
    this.#byDc = this.#candidates();
  }

  get dcs(): readonly number[] {
    return [...this.#byDc.keys()];
  }

  /** The address to use now; undefined if none is known. */
  current(dc: number): DcAddress | undefined {
    const { addresses, current } = this.#byDc.get(dc) ?? {};
    return addresses?.[current ?? 0];
  }

  /** All of a data centre, in the order in which they are tried. */
  all(dc: number): readonly DcAddress[] {
    return this.#byDc.get(dc)?.addresses ?? [];
  }

  /** Telegram has answered at the address. */
  worked(address: DcAddress): void {
    const candidates = this.#byDc.get(address.id);
    const index = candidates?.addresses.findIndex((other) => isSame(other, address)) ?? -1;
    if (candidates === undefined || index < 0) return;
    Object.assign(candidates, { failures: 0, current: index, proven: index, other: index });
  }

  /** Another address is used from now on, unless that was decided already. */
  failed(address: DcAddress): void {
    const candidates = this.#byDc.get(address.id);
    if (candidates?.addresses[candidates.current] !== address) return;
    if (candidates.failures === 0) candidates.failingSince = this.clock.elapsed();
    candidates.failures += 1;
    const { current, proven, addresses } = candidates;
    if (proven !== undefined && current !== proven) {
      candidates.current = proven;
      return;
    }
    const next = (candidates.other + 1) % addresses.length;
    candidates.other = next === proven ? (next + 1) % addresses.length : next;
    candidates.current = candidates.other;
  }

  /** How many addresses of the data centre are known. */
  count(dc: number): number {
    return this.#byDc.get(dc)?.addresses.length ?? 0;
  }

  /** True every 20 s while no known address of the data centre works: then another data centre may know a new one. */
  takeTurnToFind(dc: number): boolean {
    const now = this.clock.elapsed();
    if (!this.isLost(dc) || now < (this.#findAgainAt.get(dc) ?? 0)) return false;
    this.#findAgainAt.set(dc, now + findEveryMs);
    return true;
  }

  /** Whether no known address of the data centre works. */
  isLost(dc: number): boolean {
    const candidates = this.#byDc.get(dc);
    if (candidates === undefined) return true;
    const { addresses, failures, failingSince } = candidates;
    return failures >= addresses.length && this.clock.elapsed() - failingSince >= graceMs;
  }

  /** True once an hour: then Telegram is to be asked. */
  takeTurnToAsk(): boolean {
    const now = this.clock.elapsed();
    if (now < this.#askAgainAt) return false;
    this.#askAgainAt = now + validMs;
    return true;
  }

  /** Takes the addresses that Telegram told. */
  tell(told: readonly DcAddress[]): void {
    if (told.length === 0 || JSON.stringify(told) === JSON.stringify(this.#told)) return;
    this.#told = told;
    this.#byDc = this.#candidates(this.#byDc);
    this.#store?.save(told);
  }

  /** An address in use stays in use if it is still among them. */
  #candidates(before: ReadonlyMap<number, Candidates> = new Map()): Map<number, Candidates> {
    const lists = new Map<number, DcAddress[]>();
    for (const address of [...this.#told, ...this.#builtIn].flatMap(withOtherPorts)) {
      const list = lists.get(address.id) ?? [];
      if (!list.some((other) => isSame(other, address))) list.push(address);
      lists.set(address.id, list);
    }
    return new Map(
      [...lists].map(([dc, list]) => {
        // The ports as told are tried before the other ports, IPv4 before IPv6.
        const addresses = list.toSorted((a, b) => Number(a.isGuess ?? false) - Number(b.isGuess ?? false));
        const { addresses: old, current: at, proven: provenAt } = before.get(dc) ?? {};
        const indexOf = (oldIndex: number | undefined): number => {
          const kept = oldIndex === undefined ? undefined : old?.[oldIndex];
          return kept === undefined ? -1 : addresses.findIndex((address) => isSame(address, kept));
        };
        const current = Math.max(0, indexOf(at));
        const proven = indexOf(provenAt);
        return [
          dc,
          { addresses, current, proven: proven < 0 ? undefined : proven, other: current, failures: 0, failingSince: 0 },
        ];
      }),
    );
  }
}

const isSame = (a: DcAddress, b: DcAddress): boolean => a.host === b.host && a.port === b.port;

function withOtherPorts(address: DcAddress): DcAddress[] {
  if (address.onlyThisPort) return [address];
  const others = otherPorts.filter((port) => port !== address.port);
  return [address, ...others.map((port) => ({ ...address, port, isGuess: true }))];
}
