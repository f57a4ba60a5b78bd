import type { StringFormat } from '../../../actors/ports/telegram-session.ts';
import type { LoginKey } from '../login/login-state.ts';

/** The login in a session string. The string's address is left out: the gateway connects only to addresses that it knows. */
export interface LoginString extends LoginKey {
  format: StringFormat;
}

/** What a session string is written from. */
export interface StringContent extends LoginKey {
  /** The application's ID, for Pyrogram. */
  apiId: number;
  /** An address of the data centre. The libraries connect to it. */
  host: string;
  port: number;
  /** Whether it is one of Telegram's test data centres. */
  isTest: boolean;
  /** The account's ID. */
  userId: bigint;
  isBot: boolean;
}
