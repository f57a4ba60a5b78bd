import type { LoginKey } from '../login/login-state.ts';

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
