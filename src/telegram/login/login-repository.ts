import { SerialQueue } from '../../../actors/kit/serial-queue.ts';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { Route } from '../proxy/route.ts';
import { errorNameOf, type TelegramLog } from '../telegram-log.ts';
import type { KeysInUse } from './keys-in-use.ts';
import { type LoginKey, type LoginState, readLogin, writeLogin } from './login-state.ts';
import type { LoginStore } from './login-store.ts';

/** Each save writes the whole login and new peers come in bursts, so saves are delayed. Lost peers are found again. */
const saveDelayMs = 60_000;

/** @throws {Error} the text is no login, or a later version wrote it */
function mustReadLogin(text: string): LoginState {
  const login = readLogin(text);
  if (login === undefined) throw new Error('the stored login has an unknown form');
  return login;
}

export interface LoginRepositoryDeps {
  loginStore: LoginStore;
  clock: Clock;
  log: TelegramLog;
  /** Which keys all sessions have. Default: that is not watched. */
  keysInUse?: KeysInUse | undefined;
  /** The way of the session's connections, which is stored with its login. Default: they are direct. */
  route?: Pick<Route, 'url'> | undefined;
}

/** The stored login of one session. Calls run in their order. */
export class LoginRepository {
  readonly #store: LoginStore;
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #log: TelegramLog;
  readonly #keys: KeysInUse | undefined;
  readonly #route: Pick<Route, 'url'> | undefined;
  readonly #queue = new SerialQueue();
  #isBorrowed = false;
  #timer: TimerHandle | undefined;
  #unsaved: (() => LoginState) | undefined;

  constructor(deps: LoginRepositoryDeps, sessionId: string) {
    this.#store = deps.loginStore;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#keys = deps.keysInUse;
    this.#route = deps.route;
    this.#sessionId = sessionId;
  }

  /** Whether the login still belongs to the caller who gave its string: it is not stored and must not be logged out. */
  get isBorrowed(): boolean {
    return this.#isBorrowed;
  }

  /**
   * Takes a login that was handed in; nothing of it is stored until {@link keep}.
   * @returns false if another session has its key
   */
  async borrow(login: LoginKey): Promise<boolean> {
    this.#isBorrowed = true;
    const isFree = (await this.#keys?.take(this.#sessionId, login)) ?? true;
    if (!isFree) this.#isBorrowed = false;
    return isFree;
  }

  /** The login is this session's own, and is stored. Resolves when it is durable. */
  keep(state: LoginState): Promise<void> {
    this.#isBorrowed = false;
    return this.save(state);
  }

  load(): Promise<LoginState | undefined> {
    const loading = this.#queue.run(() => this.#load());
    this.#keys?.awaits(loading);
    return loading;
  }

  /** Resolves when the login is durable. @param isLast see {@link LoginStore.saveLogin} */
  save(state: LoginState, isLast = false): Promise<void> {
    this.#cancelDelayedSave();
    if (this.#isBorrowed) return Promise.resolve();
    const { proxy: _before, ...login } = state;
    const proxy = this.#route?.url;
    const text = writeLogin({ ...login, ...(proxy && { proxy }) });
    this.#note(state);
    return this.#queue.run(() => this.#store.saveLogin(this.#sessionId, text, isLast));
  }

  /** Saves the result of `read` within a minute, or at {@link flush}. */
  saveSoon(read: () => LoginState): void {
    this.#unsaved = read;
    this.#timer ??= this.#clock.setTimeout(() => void this.flush(), saveDelayMs);
  }

  /**
   * Saves now what {@link saveSoon} delayed, after what is being saved. Never rejects: lost peers are found again.
   * @param isLast see {@link LoginStore.saveLogin}
   */
  async flush(isLast = false): Promise<void> {
    const read = this.#unsaved;
    this.#cancelDelayedSave();
    try {
      await (read === undefined ? this.#queue.run(() => Promise.resolve()) : this.save(read(), isLast));
    } catch (error) {
      this.#log('warn', 'the login could not be saved', { error: errorNameOf(error) });
    }
  }

  drop(): Promise<void> {
    this.#cancelDelayedSave();
    return this.#queue.run(async () => {
      await this.#store.dropLogin(this.#sessionId);
      this.#keys?.release(this.#sessionId);
    });
  }

  /** The borrowed login is only its owner's again. */
  forget(): void {
    this.#cancelDelayedSave();
    this.#isBorrowed = false;
    this.#keys?.release(this.#sessionId);
  }

  async #load(): Promise<LoginState | undefined> {
    const state = await this.#store.loadLogin(this.#sessionId, mustReadLogin);
    if (state !== undefined && !this.#isBorrowed) this.#note(state);
    return state;
  }

  #note({ keys, former = [] }: LoginState): void {
    this.#keys?.note(this.#sessionId, [...keys.values(), ...former.map(({ key }) => key)]);
  }

  #cancelDelayedSave(): void {
    // Stryker disable next-line ConditionalExpression: no timer can be cleared too
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsaved = undefined;
  }
}
