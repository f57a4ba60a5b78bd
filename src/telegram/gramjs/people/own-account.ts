import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import { TelegramError } from '../../port/errors.ts';
import type { OutgoingFile } from '../../port/outgoing.ts';
import type { Device, OwnAccount, Person, PersonName } from '../../port/people.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import type { Upload } from '../files/upload-file.ts';
import { askForPerson } from './people.ts';

export interface GramOwnAccountDeps {
  call: RpcCall;
  upload: Upload;
}

/** What a connected account says about itself. */
export class GramOwnAccount implements OwnAccount {
  readonly #call: RpcCall;
  readonly #upload: Upload;

  constructor({ call, upload }: GramOwnAccountDeps) {
    this.#call = call;
    this.#upload = upload;
  }

  profile(signal: LightAbortSignal): Promise<Person> {
    return askForPerson(this.#call, new Api.InputUserSelf(), signal);
  }

  async changeProfile({ name, about }: { name?: PersonName; about?: string }, signal: LightAbortSignal): Promise<void> {
    const request = new Api.account.UpdateProfile({
      ...(name !== undefined && { firstName: name.first, lastName: name.last }),
      ...(about !== undefined && { about }),
    });
    await this.#call(request, signal);
  }

  async changeUsername(username: string, signal: LightAbortSignal): Promise<void> {
    try {
      await this.#call(new Api.account.UpdateUsername({ username }), signal);
    } catch (error) {
      if (!(error instanceof TelegramError && error.errorName === 'USERNAME_NOT_MODIFIED')) throw error;
    }
  }

  async addPhoto(photo: OutgoingFile, signal: LightAbortSignal): Promise<void> {
    const file = await this.#upload(photo, signal);
    await this.#call(new Api.photos.UploadProfilePhoto({ file }), signal);
  }

  async devices(signal: LightAbortSignal): Promise<Device[]> {
    const { authorizations } = await this.#call(new Api.account.GetAuthorizations(), signal);
    return authorizations.map((login) => ({
      id: login.hash.toString(),
      isCurrent: login.current === true,
      model: login.deviceModel,
      platform: [login.platform, login.systemVersion].filter(Boolean).join(' '),
      app: [login.appName, login.appVersion].filter(Boolean).join(' '),
      created: login.dateCreated * 1000,
      active: login.dateActive * 1000,
      ip: login.ip,
      country: login.country,
    }));
  }

  async removeDevice(id: string, signal: LightAbortSignal): Promise<void> {
    await this.#call(new Api.account.ResetAuthorization({ hash: bigInt(id) }), signal);
  }
}
