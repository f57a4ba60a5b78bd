import type { UserRow } from './state/rows.ts';
import type { World } from './world.ts';

/** The name under which a contact is saved: its owner sees no other. */
export interface ContactName {
  firstName: string;
  lastName: string;
}

/** Saves a contact, or the new name of one. */
export function saveContact(world: World, owner: UserRow, userId: number, name: ContactName): void {
  const row = world.tables.users.get(owner.id) ?? owner;
  const contacts = [...(row.contacts ?? []).filter((id) => id !== userId), userId];
  world.tables.users.put({ ...row, contacts, contactNames: { ...row.contactNames, [String(userId)]: name } });
}

export function forgetContacts(world: World, owner: UserRow, userIds: readonly number[]): void {
  const row = world.tables.users.get(owner.id) ?? owner;
  const gone = new Set(userIds);
  const contacts = (row.contacts ?? []).filter((id) => !gone.has(id));
  const names = Object.entries(row.contactNames ?? {}).filter(([id]) => !gone.has(Number(id)));
  world.tables.users.put({ ...row, contacts, contactNames: Object.fromEntries(names) });
}

/** The name that a viewer sees: the one that the viewer has saved, else the user's own. */
export function nameFor(world: World, viewer: number, user: UserRow): { firstName: string; lastName?: string } {
  const row = world.tables.users.get(viewer);
  const saved = row?.contacts?.includes(user.id) ? row.contactNames?.[String(user.id)] : undefined;
  if (!saved) return { firstName: user.firstName, ...(user.lastName ? { lastName: user.lastName } : {}) };
  return { firstName: saved.firstName, ...(saved.lastName ? { lastName: saved.lastName } : {}) };
}
