import type { LinkTo } from '../chats/message-content.ts';
import { userObject } from '../chats/message-object.ts';
import type { Person } from '../telegram/port/people.ts';

/** A person or bot as lists have them (WH3), and what Telegram tells of one alone. */
export interface PersonObject {
  id: string;
  name: string;
  /** Without @; empty if none. */
  username: string;
  phone: string;
  /** A media link, or empty. */
  picture: string;
  about: string;
  isBot: boolean;
  isContact: boolean;
  isBlocked: boolean;
  isPremium: boolean;
}

export function personObject(person: Person, linkTo: LinkTo): PersonObject {
  const { about, isBot, isContact, isBlocked, isPremium } = person;
  return { ...userObject(person, linkTo), about, isBot, isContact, isBlocked, isPremium };
}

/** First and last name of a name in one field: the first word, and the rest. */
export function splitName(name: string): { first: string; last: string } {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  return { first, last: rest.join(' ') };
}
