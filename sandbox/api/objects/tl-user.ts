import type { TlObject } from '../../rpc.ts';
import { accessHash, minAccessHash } from '../../world/access-hash.ts';
import { nameFor } from '../../world/contacts.ts';
import { visiblePhone } from '../../world/privacy.ts';
import type { UserRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';

/** A user as one viewer sees it. `min`: the reduced form for users whom the viewer has not met, in pushes of groups. */
export function tlUser(world: World, viewer: number, user: UserRow, min = false): TlObject {
  if (user.deleted) {
    return { _: 'user', id: BigInt(user.id), access_hash: accessHash(world, viewer, 'user', user.id), deleted: true };
  }
  const isContact = world.tables.users.get(viewer)?.contacts?.includes(user.id) ?? false;
  const name = nameFor(world, viewer, user);
  const common: TlObject = {
    _: 'user',
    id: BigInt(user.id),
    self: user.id === viewer,
    bot: user.bot ?? false,
    bot_info_version: user.bot ? 1 : undefined,
    verified: user.support ?? false,
    support: user.support ?? false,
    premium: user.premium ?? false,
    contact_require_premium: user.contactsOnly ?? false,
    first_name: name.firstName || undefined,
    last_name: name.lastName,
    username: user.username,
    photo: tlUserPhoto(world, user),
    status: user.bot ? undefined : { _: 'userStatusRecently' },
  };
  if (min) {
    return { ...common, min: true, apply_min_photo: true, access_hash: minAccessHash(world, viewer, 'user', user.id) };
  }
  return {
    ...common,
    contact: isContact,
    mutual_contact: isContact && (user.contacts?.includes(viewer) ?? false),
    access_hash: accessHash(world, viewer, 'user', user.id),
    phone: visiblePhone(viewer, user),
  };
}

function tlUserPhoto(world: World, user: UserRow): TlObject | undefined {
  const file = user.photo === undefined ? undefined : world.tables.files.get(user.photo);
  return file ? { _: 'userProfilePhoto', photo_id: BigInt(file.id), dc_id: file.dc } : { _: 'userProfilePhotoEmpty' };
}
