import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { NotOwnerError, type Partitions } from '../../../actors/ports/ownership.ts';
import type { Pace } from '../../../actors/session/session-settings.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import type { AccountPace } from './in-turn.ts';
import { PaceLog, type PaceLogDeps } from './pace-log.ts';
import { SessionPace } from './session-pace.ts';

export interface PacesDeps extends PaceLogDeps {
  /** As it is set now; undefined: none. */
  paceOf: (sessionId: string) => Pace | undefined;
  /** See `Vault.fingerprint`. */
  fingerprint: (sessionId: string, text: string) => Promise<Buffer>;
}

const fingerprintBytes = 16;
/** As the refusal of new requests. */
const restartSeconds = 5;

/** The paces of all accounts (OS7): none waits for another. */
export class Paces {
  readonly #deps: PacesDeps;
  /** Of sessions that have, or had, a pace. */
  readonly #paces = new Map<string, SessionPace>();
  readonly #stopping = new LightAbort();

  constructor(deps: PacesDeps) {
    this.#deps = deps;
  }

  /** @param accountId undefined: for a reader alone */
  of(sessionId: string, accountId = ''): AccountPace {
    return {
      line: this.#lineOf(sessionId),
      nameOf: async (chatId) => {
        const fingerprint = await this.#deps.fingerprint(sessionId, `chat ${accountId} ${chatId}`);
        return fingerprint.toString('base64url', 0, fingerprintBytes);
      },
    };
  }

  #lineOf(sessionId: string): SessionPace {
    const known = this.#paces.get(sessionId);
    if (known !== undefined) return known;
    const pace = new SessionPace({
      clock: this.#deps.clock,
      log: new PaceLog(this.#deps, sessionId),
      pace: () => this.#deps.paceOf(sessionId),
      stopping: this.#stopping,
    });
    // One that has no pace has nothing to keep.
    if (pace.pace === undefined) return pace;
    for (const [id, other] of this.#paces) if (other.pace === undefined && other.isIdle) this.#paces.delete(id);
    this.#paces.set(sessionId, pace);
    return pace;
  }

  /** The pace of a session was set: what waits has its turn sooner or later. */
  changed(sessionId: string): void {
    this.#paces.get(sessionId)?.advance();
  }

  /** Other processes give the turns of these sessions: what waits is refused, and what is in memory is forgotten. */
  forget(partitions: Partitions): void {
    for (const [id, pace] of this.#paces) {
      if (!partitions.has(id)) continue;
      this.#paces.delete(id);
      pace.end(notHere(id));
    }
  }

  /** Another process will give the turns of these sessions in a moment: what waits is refused. */
  refuseWaiting(partitions: Partitions): void {
    for (const [id, pace] of this.#paces) if (partitions.has(id)) pace.refuseWaiting(notHere(id));
  }

  /** Whatever waits for its turn is refused. */
  stop(): void {
    this.#stopping.abort(new GatewayError(503, 'service is shutting down', restartSeconds));
  }
}

const notHere = (id: string): NotOwnerError => new NotOwnerError(`${id} is not this process's any more`);
