import { SerialQueue } from '../../../actors/kit/serial-queue.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import { errorNameOf, type TelegramLog } from '../telegram-log.ts';
import { type LoginState, readLogin, writeLogin } from './login-state.ts';
import type { LoginStore } from './login-store.ts';

/** Each save writes the whole login and new peers come in bursts, so saves are delayed. Lost peers are found again. */
const saveDelayMs = 60_000;

/** @throws {Error} the text is no login, or a later version wrote it */
function mustReadLogin(text: string): LoginState {
  const login = readLogin(text);
  if (login === undefined) throw new Error('the stored login has an unknown form');
  return login;
}

/** The stored login of one session. Calls run in their order. */
export class LoginRepository {
  readonly #store: LoginStore;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #log: TelegramLog;
  readonly #queue = new SerialQueue();
  #timer: TimerHandle | undefined;
  #unsaved: (() => LoginState) | undefined;

  constructor(deps: { loginStore: LoginStore; clock: Clock; log: TelegramLog }, sessionId: string) {
    this.#store = deps.loginStore;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#sessionId = sessionId;
  }

  load(): Promise<LoginState | undefined> {
    return this.#queue.run(() => this.#store.loadLogin(this.#sessionId, mustReadLogin));
  }

  /** Resolves when the login is durable. */
  save(state: LoginState): Promise<void> {
    this.#cancelDelayedSave();
    const text = writeLogin(state);
    return this.#queue.run(() => this.#store.saveLogin(this.#sessionId, text));
  }

  /** Saves the result of `read` within a minute, or at {@link flush}. */
  saveSoon(read: () => LoginState): void {
    this.#unsaved = read;
    this.#timer ??= this.#clock.setTimeout(() => void this.flush(), saveDelayMs);
  }

  /** Saves now what {@link saveSoon} delayed, after what is being saved. Never rejects: lost peers are found again. */
  async flush(): Promise<void> {
    const read = this.#unsaved;
    this.#cancelDelayedSave();
    try {
      await (read === undefined ? this.#queue.run(() => Promise.resolve()) : this.save(read()));
    } catch (error) {
      this.#log('warn', 'the login could not be saved', { error: errorNameOf(error) });
    }
  }

  drop(): Promise<void> {
    this.#cancelDelayedSave();
    return this.#queue.run(() => this.#store.dropLogin(this.#sessionId));
  }

  #cancelDelayedSave(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsaved = undefined;
  }
}
