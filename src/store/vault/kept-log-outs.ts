import type { Clock } from '../../../actors/ports/clock.ts';
import { UnreadableEventError } from '../../../actors/ports/event-codec.ts';
import { appendToVault, type VaultWriterDeps } from './append-to-vault.ts';
import type { KeyRing } from './key-ring.ts';
import { dataKeyBytes, loginContext, sealText } from './sealing.ts';
import { type LogOutRecord, logOutStream } from './vault-codec.ts';
import type { VaultRecords } from './vault-records.ts';

/** How long a log-out is tried (SE3). */
const keptMs = 24 * 60 * 60 * 1000;

export interface KeptLogOutsDeps extends VaultWriterDeps {
  clock: Clock;
  ring: KeyRing;
  records: VaultRecords;
  /**
   * As much of a stored login as a log-out needs; undefined if there is nothing to log out.
   * @param proxy URL of the proxy that the log-out goes through; undefined: that of the login
   * @throws the text is no login: nothing is kept
   */
  forLogOut: (login: string, proxy?: string) => string | undefined;
}

/**
 * What is left of deleted sessions that are not logged out yet: a key of its own, and with it the rest of the login, in
 * `vault-{id}.log-out`.
 */
export class KeptLogOuts {
  readonly #deps: KeptLogOutsDeps;

  constructor(deps: KeptLogOutsDeps) {
    this.#deps = deps;
  }

  /**
   * Keeps what the log-out needs of the stored login. Safe to repeat.
   * @param proxy see `Sealer.destroyKey`
   * @returns until when, milliseconds since 1970; undefined if nothing is kept
   */
  async keep(sessionId: string, proxy?: string): Promise<number | undefined> {
    const { records, forLogOut } = this.#deps;
    try {
      const kept = await records.keptLogOut(sessionId);
      if (kept !== undefined) return kept.data.until;
      const event = await records.last(sessionId);
      const login = event && records.login(event, (text) => forLogOut(text, proxy));
      return login === undefined ? undefined : await this.#record(sessionId, login);
    } catch (error) {
      // Nothing can be logged out with a login that cannot be read.
      if (error instanceof UnreadableEventError) return undefined;
      throw error;
    }
  }

  async #record(sessionId: string, text: string): Promise<number> {
    const { clock, random, ring } = this.#deps;
    const key = Buffer.from(random.bytes(dataKeyBytes));
    const login = sealText(key, sessionId, loginContext, text, random);
    const data: LogOutRecord = { key: ring.wrap(sessionId, key), login, until: clock.now() + keptMs };
    await appendToVault(this.#deps, logOutStream(sessionId), -1, { type: 'LogOutKept', data });
    return data.until;
  }
}
