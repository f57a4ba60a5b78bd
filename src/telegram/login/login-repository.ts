import { SerialQueue } from '../../../actors/kit/serial-queue.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import { errorNameOf, type TelegramLog } from '../telegram-log.ts';
import { type LoginState, readLogin, writeLogin } from './login-state.ts';
import type { LoginStore } from './login-store.ts';

/** New peers come in bursts, and a whole login is written each time: they are gathered. Lost, they are found again. */
const gatherMs = 60_000;

/** @throws {Error} the text is none of ours, or a later version has written it. */
function mustReadLogin(text: string): LoginState {
  const login = readLogin(text);
  if (login === undefined) throw new Error('the stored login has an unknown form');
  return login;
}

/** The stored login of one session: what is asked for happens in the order of asking. */
export class LoginRepository {
  readonly #store: LoginStore;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #log: TelegramLog;
  readonly #queue = new SerialQueue();
  #timer: TimerHandle | undefined;
  #unsaved: (() => LoginState) | undefined;

  constructor(setting: { loginStore: LoginStore; clock: Clock; log: TelegramLog }, sessionId: string) {
    this.#store = setting.loginStore;
    this.#clock = setting.clock;
    this.#log = setting.log;
    this.#sessionId = sessionId;
  }

  load(): Promise<LoginState | undefined> {
    return this.#queue.run(() => this.#store.loadLogin(this.#sessionId, mustReadLogin));
  }

  /** Resolves when it is durable. */
  save(state: LoginState): Promise<void> {
    this.#forgetUnsaved();
    const text = writeLogin(state);
    return this.#queue.run(() => this.#store.saveLogin(this.#sessionId, text));
  }

  /** Saves what `read` gives by then, within a minute or at {@link flush}. */
  saveSoon(read: () => LoginState): void {
    this.#unsaved = read;
    this.#timer ??= this.#clock.setTimeout(() => void this.flush(), gatherMs);
  }

  /** Saves what is still to be saved. Never rejects: what is lost thereby can be learnt again. */
  async flush(): Promise<void> {
    const read = this.#unsaved;
    this.#forgetUnsaved();
    if (read === undefined) return;
    try {
      await this.save(read());
    } catch (error) {
      this.#log('warn', 'the login could not be saved', { error: errorNameOf(error) });
    }
  }

  drop(): Promise<void> {
    this.#forgetUnsaved();
    return this.#queue.run(() => this.#store.dropLogin(this.#sessionId));
  }

  #forgetUnsaved(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsaved = undefined;
  }
}
