import { findByUsername, usernamePattern } from './find-peer.ts';
import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

const firstAddedId = 10_001;
const dcCount = 5;

export interface NewAccount {
  firstName: string;
  lastName?: string | undefined;
  username?: string | undefined;
  phone?: string | undefined;
  dc?: number | undefined;
}

/** @throws {Error} with a message for the caller if a value is invalid or taken */
export function addAccount(world: World, account: NewAccount): UserRow {
  const { firstName, lastName, username, phone, dc = 2 } = account;
  if (!Number.isInteger(dc) || dc < 1 || dc > dcCount) throw new Error('dc must be between 1 and 5');
  if (username !== undefined && findByUsername(world, username)) throw new Error('username is taken');
  if (username !== undefined && !usernamePattern.test(username)) throw new Error('username is not a valid username');
  for (const other of world.tables.users.values()) {
    if (phone !== undefined && other.phone === phone.replace(/\D/g, '')) throw new Error('phone is taken');
  }
  const id = (world.tables.meta.get('lastAccountId')?.value ?? firstAddedId - 1) + 1;
  world.tables.meta.put({ name: 'lastAccountId', value: id });
  const user: UserRow = { id, firstName, dc, account: true };
  if (lastName) user.lastName = lastName;
  if (username) user.username = username;
  user.phone = phone ? phone.replace(/\D/g, '') : String(15_559_000_000 + id);
  return world.tables.users.put(user);
}
