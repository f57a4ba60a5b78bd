import { FairGate } from '../../../../actors/kit/fair-gate.ts';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { maxConnections, maxRequestsEach } from './file-connection-pool.ts';

/** What the connections for files to a data centre carry at a time. */
const places = maxConnections * maxRequestsEach;
/** Of these, for one link: another one never waits for a place of its own. */
const placesOfLink = places - 2;

/** Runs a read of a file in its turn. @throws the signal's reason, and what the read throws */
export type InTurn = <T>(dc: number, read: () => Promise<T>, signal: LightAbortSignal) => Promise<T>;

/**
 * Links take turns at the connections for files, however many viewers each has: a link is public, so everyone who has one
 * could shut out the viewers of the others (NB3.3).
 */
export class ReadTurns {
  readonly #gates = new Map<number, FairGate>();

  /** @param link what tells one link of the account from another */
  of(link: string): InTurn {
    return (dc, read, signal) => this.#gate(dc).run({ sessionId: link }, read, signal);
  }

  #gate(dc: number): FairGate {
    const gate =
      this.#gates.get(dc) ??
      // The viewers of a link are limited (NB3.2), and so is what they wait for.
      new FairGate({ what: 'reads', places, placesPerSession: placesOfLink, maxWaitingPerSession: Infinity });
    this.#gates.set(dc, gate);
    return gate;
  }
}
