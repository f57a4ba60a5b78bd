import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import type { Clock } from '../../../actors/ports/clock.ts';
import type { Log } from '../../../actors/ports/log.ts';
import { describeRefusal } from './login-refused.ts';

/** Whether Telegram lets this application log in accounts, by its last answer to any session. */
export class LoginRefusals {
  readonly #log: Log;
  readonly #clock: Pick<Clock, 'elapsed'>;
  /** By the clock's `elapsed`. */
  #until = 0;
  #reason: string | undefined;

  constructor(log: Log, clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
    this.#log = createRateLimitedLog(log, clock);
  }

  /** One line if Telegram refuses logins. A wait that is over is no refusal. */
  get warnings(): string[] {
    if (this.#reason === undefined || this.#clock.elapsed() >= this.#until) return [];
    return [lineOf(this.#reason)];
  }

  /**
   * Takes Telegram's answer to a request for a QR code. A refusal is logged once a minute.
   * @param reason why it was refused; undefined if it was not
   * @param session the session that asked, if one did
   */
  note(reason: string | undefined, session?: string): void {
    this.#reason = reason;
    const waitSeconds = /_WAIT_(\d+)$/.exec(reason ?? '')?.[1];
    this.#until = waitSeconds === undefined ? Infinity : this.#clock.elapsed() + Number(waitSeconds) * 1_000;
    if (reason !== undefined)
      this.#log.error({ where: 'telegram', ...(session !== undefined && { session }), reason }, lineOf(reason));
  }
}

const lineOf = (reason: string): string => `telegram refuses logins: ${describeRefusal(reason)}`;
