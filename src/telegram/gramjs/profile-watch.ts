import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import { retry } from '../../../actors/kit/retry.ts';
import { TimeoutError, withTimeout } from '../../../actors/kit/timeout.ts';
import type { Account } from '../../../actors/ports/telegram-session.ts';
import { telegramAway } from '../connection/reconnect-policy.ts';
import type { LoginState } from '../login/login-state.ts';
import { TelegramError } from '../port/errors.ts';
import type { RpcCall } from './connection/rpc-caller.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';
import type { FileConnections } from './files/file-connections.ts';
import { followFile } from './files/follow-file.ts';
import { accountOf, pictureOf, type SmallPhoto, smallPhotoOf } from './peers/profile.ts';

export interface Profile {
  account: Account;
  /** data URI of the small photo, or empty */
  picture: string;
}

/** How long a login waits for the photo. */
const promptPhotoMs = 2_000;
const photoMs = 30_000;

/** Requests by which the login itself changes what the watch reads: Telegram pushes the change to other logins only. */
const changes: ReadonlySet<string> = new Set([
  'account.UpdateProfile',
  'account.UpdateUsername',
  'account.ToggleUsername',
  'account.ReorderUsernames',
  'photos.UploadProfilePhoto',
  'photos.UpdateProfilePhoto',
  'photos.DeletePhotos',
]);

export const changesProfile = ({ className }: Api.AnyRequest): boolean => changes.has(className);

/** Reads the account of a login and detects changes of its name, username, phone or photo. */
export class ProfileWatch {
  readonly #deps: GramSessionDeps;
  readonly #login: LoginState;
  readonly #call: RpcCall;
  readonly #files: FileConnections;
  readonly #signal: LightAbortSignal;
  readonly #onChange: (profile: Profile) => void;
  #looking: Promise<void> | undefined;
  #lookAgain = false;

  /**
   * @param login its `account`, `isPremium` and `photoId` are the last ones, and are updated here
   * @param signal ends the watch
   */
  constructor(
    deps: GramSessionDeps,
    login: LoginState,
    { call, files }: { call: RpcCall; files: FileConnections },
    signal: LightAbortSignal,
    onChange: (profile: Profile) => void,
  ) {
    this.#deps = deps;
    this.#login = login;
    this.#call = call;
    this.#files = files;
    this.#signal = signal;
    this.#onChange = onChange;
  }

  /** Reads the account. A photo that takes too long follows as a change. */
  async first(signal: LightAbortSignal): Promise<Profile> {
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
        this.#deps.log('debug', 'the profile photo follows later');
      }
    }
    this.#login.account = account;
    return { account, picture };
  }

  /** Checks for changes and reports them. */
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

  #lookUntilSeen(): Promise<void> {
    const compare = (): Promise<void> => {
      this.#lookAgain = false;
      return this.#compare();
    };
    const note = (): void => this.#deps.log('debug', 'the profile could not be fetched');
    return retry(this.#deps, telegramAway, compare, this.#signal, note);
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

  async #self(signal: LightAbortSignal): Promise<Api.User> {
    const [user] = await this.#call(new Api.users.GetUsers({ id: [new Api.InputUserSelf()] }), signal);
    if (!(user instanceof Api.User)) throw new Error('telegram did not say whose login it is');
    this.#login.isPremium = user.premium === true;
    return user;
  }

  /** @throws any error: a missing photo never ends a login */
  async #fetch(photo: SmallPhoto, limitMs: number): Promise<string> {
    const ask = (signal: LightAbortSignal): Promise<Api.upload.TypeFile> =>
      followFile(photo.dc, (dc) =>
        dc === this.#login.dc ? this.#call(photo.request, signal) : this.#files.call(dc, photo.request, signal),
      );
    const late = (): Error => new TimeoutError('the photo takes too long');
    return pictureOf(await withTimeout(this.#deps.clock, limitMs, late, ask, this.#signal));
  }
}

/** A photo that Telegram refuses now will be refused again. Repeating the request would only delay the name. */
function noneWhereRefused(error: unknown): string {
  if (error instanceof TelegramError && error.code === 400) return '';
  throw error;
}
