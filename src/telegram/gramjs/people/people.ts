import bigInt from 'big-integer';
import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { PeerCache } from '../../peer-cache.ts';
import { PeerNotFoundError } from '../../port/errors.ts';
import type { Peer } from '../../port/peer.ts';
import type { People, Person, PersonName } from '../../port/people.ts';
import type { ChatUser } from '../../port/updates.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { chatUserOf } from '../peers/chat-users.ts';
import { inputPeer, inputUser } from '../peers/input-peer.ts';
import { knownPeer } from '../peers/known-peer.ts';
import { long } from '../peers/text-entities.ts';

export interface GramPeopleDeps {
  book: PeerCache;
  call: RpcCall;
}

/** The people that a connected account knows. */
export class GramPeople implements People {
  readonly #book: PeerCache;
  readonly #call: RpcCall;

  constructor({ book, call }: GramPeopleDeps) {
    this.#book = book;
    this.#call = call;
  }

  async contacts(signal: LightAbortSignal): Promise<ChatUser[]> {
    const answer = await this.#call(new Api.contacts.GetContacts({ hash: long(0n) }), signal);
    if (answer instanceof Api.contacts.ContactsNotModified) throw new Error('telegram left out what was asked for');
    const users = new Map(usersIn(answer.users).map((user) => [user.id.toString(), user]));
    return answer.contacts.flatMap(({ userId }) => {
      const user = users.get(userId.toString());
      return user === undefined ? [] : [chatUserOf(user)];
    });
  }

  async addContact(
    phone: string,
    { first, last }: PersonName,
    signal: LightAbortSignal,
  ): Promise<ChatUser | 'absent' | 'later'> {
    const contact = new Api.InputPhoneContact({
      // The number of the contact in the request: there is one.
      clientId: bigInt.zero,
      phone,
      firstName: first,
      lastName: last,
    });
    const answer = await this.#call(new Api.contacts.ImportContacts({ contacts: [contact] }), signal);
    if (answer.retryContacts.length > 0) return 'later';
    const [imported] = answer.imported;
    const user = usersIn(answer.users).find(({ id }) => id.toString() === imported?.userId.toString());
    return user === undefined ? 'absent' : chatUserOf(user);
  }

  async deleteContact(user: Peer, signal: LightAbortSignal): Promise<void> {
    await this.#call(new Api.contacts.DeleteContacts({ id: [this.#input(user)] }), signal);
  }

  person(user: Peer, signal: LightAbortSignal): Promise<Person> {
    return askForPerson(this.#call, this.#input(user), signal);
  }

  async user(user: Peer, signal: LightAbortSignal): Promise<ChatUser> {
    const [found] = usersIn(await this.#call(new Api.users.GetUsers({ id: [this.#input(user)] }), signal));
    if (found === undefined) throw new PeerNotFoundError(`telegram says nothing of ${user.id}`);
    return chatUserOf(found);
  }

  async block(user: Peer, isBlocked: boolean, signal: LightAbortSignal): Promise<void> {
    const id = inputPeer(knownPeer(this.#book, user));
    await this.#call(isBlocked ? new Api.contacts.Block({ id }) : new Api.contacts.Unblock({ id }), signal);
  }

  #input(user: Peer): Api.InputUser {
    return inputUser(knownPeer(this.#book, user));
  }
}

/** @throws {PeerNotFoundError} Telegram says nothing of them */
export async function askForPerson(call: RpcCall, id: Api.TypeInputUser, signal: LightAbortSignal): Promise<Person> {
  const { fullUser, users } = await call(new Api.users.GetFullUser({ id }), signal);
  const user = usersIn(users).find((each) => each.id.toString() === fullUser.id.toString());
  if (user === undefined) throw new PeerNotFoundError('telegram says nothing of the user');
  return {
    ...chatUserOf(user),
    about: fullUser.about ?? '',
    isBot: user.bot === true,
    isContact: user.contact === true,
    isBlocked: fullUser.blocked === true,
    isPremium: user.premium === true,
  };
}

const usersIn = (users: readonly Api.TypeUser[]): Api.User[] =>
  users.filter((user): user is Api.User => user instanceof Api.User);
