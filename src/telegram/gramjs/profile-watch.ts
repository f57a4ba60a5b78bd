import { Api } from 'telegram/tl/index.js';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import { retryDelayMs } from '../connection/backoff.ts';
import { wait, within } from '../connection/waiting.ts';
import type { LoginState } from '../login/login-state.ts';
import { TelegramError } from '../port/account.ts';
import type { RpcCall } from './connection/rpc-caller.ts';
import type { FileConnections } from './files/file-connections.ts';
import type { GramSessionDeps } from './gram-session.ts';
import { accountOf, pictureOf, type SmallPhoto, smallPhotoOf } from './peers/profile.ts';

export interface Profile {
  account: Account;
  /** data URI of the small photo, or empty */
  picture: string;
}

/** How long a login may be held up by the photo. */
const promptPhotoMs = 2_000;
const photoMs = 30_000;

/** Knows whose login it is, and notices when their name, username, phone or photo changes. */
export class ProfileWatch {
  readonly #setting: GramSessionDeps;
  readonly #login: LoginState;
  readonly #call: RpcCall;
  readonly #files: FileConnections;
  readonly #signal: AbortSignal;
  readonly #onChange: (profile: Profile) => void;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  /**
   * @param login its `account` and `photoId` are what was last told; kept up to date here
   * @param signal ends the watch
   */
  constructor(
    setting: GramSessionDeps,
    login: LoginState,
    { call, files }: { call: RpcCall; files: FileConnections },
    signal: AbortSignal,
    onChange: (profile: Profile) => void,
  ) {
    this.#setting = setting;
    this.#login = login;
    this.#call = call;
    this.#files = files;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** Whose login it is. A photo that takes long comes with a change, later. */
  async first(signal: AbortSignal): Promise<Profile> {
    const user = await this.#self(signal);
    const account = accountOf(user);
    const photo = smallPhotoOf(user);
    let picture = '';
    if (photo !== undefined) {
      try {
        picture = await this.#fetch(photo, promptPhotoMs);
        this.#login.photoId = photo.id;
      } catch {
        signal.throwIfAborted();
        this.#setting.log('debug', 'the profile photo comes later');
      }
    }
    this.#login.account = account;
    return { account, picture };
  }

  /** Looks whether anything has changed since, and tells. */
  look(): void {
    if (this.#looking !== undefined) {
      this.#lookAgain = true;
      return;
    }
    this.#looking = this.#lookUntilSeen()
      .catch(() => undefined)
      .finally(() => {
        this.#looking = undefined;
        if (this.#lookAgain && !this.#signal.aborted) this.look();
      });
  }

  async #lookUntilSeen(): Promise<void> {
    for (let failures = 1; ; failures++) {
      try {
        this.#lookAgain = false;
        return await this.#compare();
      } catch {
        this.#signal.throwIfAborted();
        this.#setting.log('debug', 'the profile could not be fetched');
      }
      await wait(this.#setting.clock, retryDelayMs(failures, this.#setting.random.fraction()), this.#signal);
    }
  }

  async #compare(): Promise<void> {
    const user = await this.#self(this.#signal);
    const account = accountOf(user);
    const photo = smallPhotoOf(user);
    const isSame = JSON.stringify(account) === JSON.stringify(this.#login.account);
    if (isSame && photo?.id === this.#login.photoId) return;
    const picture = photo === undefined ? '' : await this.#fetch(photo, photoMs).catch(noneWhereRefused);
    this.#login.account = account;
    if (photo === undefined) delete this.#login.photoId;
    else this.#login.photoId = photo.id;
    this.#onChange({ account, picture });
  }

  async #self(signal: AbortSignal): Promise<Api.User> {
    const [user] = await this.#call(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }), signal);
    if (!(user instanceof Api.User)) throw new Error('telegram did not say whose login it is');
    return user;
  }

  /** @throws anything: a photo is never worth a login. */
  async #fetch(photo: SmallPhoto, limitMs: number): Promise<string> {
    const late = new AbortController();
    const signal = AbortSignal.any([this.#signal, late.signal]);
    const isHere = photo.dc === this.#login.dc;
    const file = isHere ? this.#call(photo.request, signal) : this.#files.call(photo.dc, photo.request, signal);
    try {
      const tooLate = (): Error => new Error('the photo takes too long');
      return pictureOf(await within(this.#setting.clock, limitMs, file, tooLate, this.#signal));
    } finally {
      late.abort();
    }
  }
}

/** What Telegram will not give now it will not give later: asking again and again would only hold up the name. */
function noneWhereRefused(error: unknown): string {
  if (error instanceof TelegramError && error.code === 400) return '';
  throw error;
}
