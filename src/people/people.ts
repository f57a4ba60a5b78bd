import type { LightAbortSignal } from '../../actors/kit/light-abort.ts';
import type { Clock } from '../../actors/ports/clock.ts';
import type { LinkTo } from '../chats/message-content.ts';
import { userObject } from '../chats/message-object.ts';
import { withAnswerTimeout } from '../errors/answer-timeout.ts';
import { GatewayError } from '../errors/gateway-error.ts';
import { readRecipient } from '../recipients/recipient.ts';
import { readUser, resolveUser } from '../recipients/resolve-user.ts';
import type { TelegramAccount } from '../telegram/port/account.ts';
import { PhoneNotFoundError } from '../telegram/port/errors.ts';
import type { Peer } from '../telegram/port/peer.ts';
import { serviceAccounts } from '../telegram/port/service-accounts.ts';
import { type PersonObject, personObject, splitName } from './person-object.ts';

export interface PeopleDeps {
  account: TelegramAccount;
  clock: Clock;
  linkTo: LinkTo;
}

type UserObject = ReturnType<typeof userObject>;

const phoneNotFound = 'phone is not on telegram or hidden by its privacy settings';
/** Telegram does not say how long it takes no contacts. */
const laterSeconds = 60;

/** All contacts of the account (PE1). @throws {TelegramError} {@link NotConnectedError} */
export function listContacts({ account, clock, linkTo }: PeopleDeps): Promise<UserObject[]> {
  return withAnswerTimeout(clock, async (signal) => {
    const contacts = await account.people.contacts(signal);
    return contacts.filter(({ id }) => !serviceAccounts.has(id)).map((contact) => userObject(contact, linkTo));
  });
}

/**
 * Saves the user with a number under a name.
 * @throws {GatewayError} 400 429 {@link TelegramError} {@link NotConnectedError}
 */
export function addContact(
  { account, clock, linkTo }: PeopleDeps,
  { phone, name }: { phone: string; name: string },
): Promise<UserObject> {
  const digits = digitsOf(phone);
  return withAnswerTimeout(clock, async (signal) => {
    const contact = await account.people.addContact(digits, splitName(name), signal);
    if (contact === 'later') throw new GatewayError(429, 'telegram takes no more contacts now', laterSeconds);
    if (contact === 'absent' || serviceAccounts.has(contact.id)) throw new GatewayError(400, phoneNotFound);
    return userObject(contact, linkTo);
  });
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function deleteContact({ account, clock }: PeopleDeps, userId: string): Promise<void> {
  return withUser(account, clock, userId, (user, signal) => account.people.deleteContact(user, signal));
}

/** Who has a number, if Telegram tells. @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function checkPhone(
  { account, clock, linkTo }: PeopleDeps,
  phone: string,
): Promise<{ exists: boolean; user?: UserObject }> {
  const digits = digitsOf(phone);
  return withAnswerTimeout(clock, async (signal) => {
    const peer = await account.byPhone(digits, signal).catch((error: unknown) => {
      if (error instanceof PhoneNotFoundError) return undefined;
      throw error;
    });
    if (peer === undefined || serviceAccounts.has(peer.id)) return { exists: false };
    return { exists: true, user: userObject(await account.people.user(peer, signal), linkTo) };
  });
}

/**
 * One person or bot, by their ID or `@username`.
 * @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError}
 */
export function getUser({ account, clock, linkTo }: PeopleDeps, userId: string): Promise<PersonObject> {
  return withUser(account, clock, userId, async (user, signal) =>
    personObject(await account.people.person(user, signal), linkTo),
  );
}

/** @throws {GatewayError} 400 {@link TelegramError} {@link NotConnectedError} */
export function blockUser({ account, clock }: PeopleDeps, userId: string, isBlocked: boolean): Promise<void> {
  return withUser(account, clock, userId, (user, signal) => account.people.block(user, isBlocked, signal));
}

function withUser<T>(
  account: TelegramAccount,
  clock: Clock,
  userId: string,
  use: (user: Peer, signal: LightAbortSignal) => Promise<T>,
): Promise<T> {
  const named = readUser(userId);
  return withAnswerTimeout(clock, async (signal) => use(await resolveUser(account, named, signal), signal));
}

/** @throws {GatewayError} 400 */
function digitsOf(phone: string): string {
  const recipient = readRecipient({ phone }, 'invalid receiver');
  return recipient.by === 'phone' ? recipient.digits : '';
}
