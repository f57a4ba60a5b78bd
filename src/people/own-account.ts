import type { Clock } from '../../actors/ports/clock.ts';
import type { LinkTo } from '../chats/message-content.ts';
import { userObject } from '../chats/message-object.ts';
import { withAnswerTimeout } from '../errors/answer-timeout.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import type { MediaSource } from '../media/outgoing/media-source.ts';
import type { MediaPreparation } from '../media/outgoing/prepare.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import { splitName } from './person-object.ts';

export interface OwnAccountDeps {
  account: TelegramAccount;
  clock: Clock;
  /** Prepares the picture. */
  media: MediaPreparation;
  linkTo: LinkTo;
}

/** The account as it shows itself (PE2). */
export type AccountObject = ReturnType<typeof userObject> & { about: string; isPremium: boolean };

/** What is left out stays. An empty username removes it. */
export interface AccountChange {
  name?: string | undefined;
  about?: string | undefined;
  username?: string | undefined;
  picture?: MediaSource | undefined;
}

/** A device as answers have it. */
export interface DeviceObject {
  id: string;
  isCurrent: boolean;
  model: string;
  platform: string;
  app: string;
  created: string;
  active: string;
  ip: string;
  country: string;
}

/** @throws {TelegramError} {@link NotConnectedError} */
export function getAccount({ account, clock, linkTo }: OwnAccountDeps): Promise<AccountObject> {
  return withAnswerTimeout(clock, async (signal) => {
    const profile = await account.own.profile(signal);
    const { about, isPremium } = profile;
    return { ...userObject(profile, linkTo), about, isPremium };
  });
}

/**
 * Changes the account: the name and the text about it together, then the username, then the picture.
 * @throws {GatewayError} the picture cannot be fetched. {@link TelegramError} {@link NotConnectedError}
 */
export async function changeAccount(deps: OwnAccountDeps, change: AccountChange): Promise<AccountObject> {
  const { account, clock, media } = deps;
  const { name, about, username, picture } = change;
  await withAnswerTimeout(clock, async (signal) => {
    if (name !== undefined || about !== undefined) {
      const profile = { ...(name !== undefined && { name: splitName(name) }), ...(about !== undefined && { about }) };
      await account.own.changeProfile(profile, signal);
    }
    if (username !== undefined) await account.own.changeUsername(username.replace(/^@/, ''), signal);
    if (picture === undefined) return;
    await media.withPrepared(
      { type: 'image', ...picture },
      signal,
      ({ file }) => account.own.addPhoto(file, signal),
      account.maxUploadBytes,
    );
  });
  return getAccount(deps);
}

/** The logins of the account, this one first. @throws {TelegramError} {@link NotConnectedError} */
export function listDevices({ account, clock }: OwnAccountDeps): Promise<DeviceObject[]> {
  return withAnswerTimeout(clock, async (signal) => {
    const devices = await account.own.devices(signal);
    const ordered = devices.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent));
    return ordered.map((device) => ({ ...device, created: iso(device.created), active: iso(device.active) }));
  });
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function removeDevice({ account, clock }: OwnAccountDeps, id: string): Promise<void> {
  // Telegram's number for the login that asks: it ends with the session.
  if (BigInt(id) === 0n) throw new GatewayError(400, 'id must be that of another device');
  return withAnswerTimeout(clock, (signal) => account.own.removeDevice(id, signal));
}

const iso = (time: number): string => new Date(time).toISOString();
