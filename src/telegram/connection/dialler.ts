import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { ConnectionGate } from './connection-gate.ts';
import type { DcAddresses } from './dc-addresses.ts';
import type { DcAddress } from './network.ts';

/** One attempt to connect. What becomes of it decides about the address and the pace of the next ones. */
export interface DialAttempt {
  readonly address: DcAddress;
  /** Telegram has answered. */
  answered(): void;
  /** Whether nothing is known yet of what became of it. */
  readonly isPending: boolean;
  /** Telegram said that there are too many connections (-429). */
  tooMany(): void;
  /** The connection was refused, or ended. Nothing happens if Telegram had answered. */
  refused(): void;
  /** This process gave the connection up: Telegram has no part in it. */
  withdrawn(): void;
  /** This machine has no route to the address: Telegram has no part in it. The next address may be tried at once. */
  unroutable(): void;
  readonly isUnroutable: boolean;
  /** Nothing answers. Nothing happens if Telegram had answered before. */
  silent(): void;
}

/** Decides when a connection may be opened, and to which address: one for the process. */
export class Dialler {
  readonly addresses: DcAddresses;
  readonly #gate: ConnectionGate | undefined;
  /** Those who wait until a data centre is reached again. */
  readonly #waiting = new Map<number, Set<(tookMs: number) => void>>();

  /** @param gate without one, every connection may be opened at once */
  constructor(addresses: DcAddresses, gate?: ConnectionGate) {
    this.addresses = addresses;
    this.#gate = gate;
  }

  /**
   * Calls `wake` once, when this data centre answers an attempt, with the milliseconds that this took.
   * @returns a function that takes it back
   */
  onReached(dc: number, wake: (tookMs: number) => void): () => void {
    const waiting = this.#waiting.get(dc) ?? new Set();
    this.#waiting.set(dc, waiting.add(wake));
    return () => void waiting.delete(wake);
  }

  /**
   * Resolves when a connection may be opened.
   * @param isUrgent whether it goes before those that are not, asked when its turn may have come
   * @throws {Error} no address is known @throws the signal's reason
   */
  async dial(dc: number, signal: LightAbortSignal, isUrgent?: () => boolean): Promise<DialAttempt> {
    const number = (await this.#gate?.enter(signal, isUrgent)) ?? 0;
    const address = this.addresses.current(dc);
    if (address === undefined) throw new Error(`no address of data centre ${dc} is known`);
    const reached = (tookMs: number): void => this.#wake(dc, tookMs);
    return new DirectAttempt(this.addresses, address, reached, this.#gate, number);
  }

  #wake(dc: number, tookMs: number): void {
    const waiting = this.#waiting.get(dc);
    this.#waiting.delete(dc);
    for (const wake of waiting ?? []) wake(tookMs);
  }
}

/** One for each open connection: methods of a class take less room than functions of their own. */
class DirectAttempt implements DialAttempt {
  readonly address: DcAddress;
  isPending = true;
  isUnroutable = false;
  readonly #addresses: DcAddresses;
  readonly #reached: (tookMs: number) => void;
  readonly #gate: ConnectionGate | undefined;
  /** Of the gate. */
  readonly #number: number;
  readonly #openedAt: number;

  constructor(
    addresses: DcAddresses,
    address: DcAddress,
    reached: (tookMs: number) => void,
    gate: ConnectionGate | undefined,
    number: number,
  ) {
    this.address = address;
    this.#addresses = addresses;
    this.#reached = reached;
    this.#gate = gate;
    this.#number = number;
    this.#openedAt = addresses.clock.elapsed();
  }

  answered(): void {
    if (!this.#settles()) return;
    this.#addresses.worked(this.address);
    this.#reached(this.#addresses.clock.elapsed() - this.#openedAt);
  }

  tooMany(): void {
    this.isPending = false;
    this.#gate?.refused(this.#number);
  }

  refused(): void {
    if (!this.#settles()) return;
    this.#addresses.failed(this.address);
    this.#gate?.refused(this.#number);
  }

  withdrawn(): void {
    this.isPending = false;
  }

  unroutable(): void {
    if (!this.#settles()) return;
    this.isUnroutable = true;
    this.#addresses.failed(this.address);
    this.#gate?.giveBack();
  }

  silent(): void {
    if (this.#settles()) this.#addresses.failed(this.address);
  }

  /** @returns whether nothing was known before */
  #settles(): boolean {
    const wasPending = this.isPending;
    this.isPending = false;
    return wasPending;
  }
}
