import { RpcError } from '../../../rpc.ts';
import { findByUsername, usernamePattern } from '../../../world/find-peer.ts';
import type { UserRow } from '../../../world/state/rows.ts';
import { tellUserChange } from '../../../world/tell-user-change.ts';
import type { World } from '../../../world/world.ts';
import type { Caller, Method } from '../../method.ts';
import { tlUser } from '../../objects/tl-user.ts';
import { pushChange } from '../../push/push-change.ts';

const maxNameLength = 64;
/** `about_length_limit_default` and `about_length_limit_premium`: https://core.telegram.org/api/config */
const maxAboutLength = 70;
const maxAboutLengthPremium = 140;

/** Only what is given changes. https://core.telegram.org/method/account.updateProfile */
const updateProfile: Method = (params, caller) => {
  const { me } = caller;
  const text = (name: string): string | undefined => (params[name] as string | undefined)?.trim();
  const [firstName, lastName, about] = [text('first_name'), text('last_name'), text('about')];
  if (firstName !== undefined && (firstName === '' || firstName.length > maxNameLength)) {
    throw new RpcError(400, 'FIRSTNAME_INVALID');
  }
  if (lastName !== undefined && lastName.length > maxNameLength) throw new RpcError(400, 'LASTNAME_INVALID');
  const longest = me.premium ? maxAboutLengthPremium : maxAboutLength;
  if (about !== undefined && about.length > longest) throw new RpcError(400, 'ABOUT_TOO_LONG');
  const renamed =
    (firstName ?? me.firstName) !== me.firstName || (lastName ?? me.lastName ?? '') !== (me.lastName ?? '');
  const { lastName: lastBefore, about: aboutBefore, ...rest } = me;
  const changed: UserRow = { ...rest, firstName: firstName ?? me.firstName };
  if (lastName ?? lastBefore) changed.lastName = lastName ?? lastBefore ?? '';
  if (about ?? aboutBefore) changed.about = about ?? aboutBefore ?? '';
  return answerChange(caller, changed, renamed ? 'userName' : 'user');
};

/** An empty one removes it. https://core.telegram.org/method/account.updateUsername */
const updateUsername: Method = (params, caller) => {
  const { world, me } = caller;
  const username = params['username'] as string;
  if (username === (me.username ?? '')) throw new RpcError(400, 'USERNAME_NOT_MODIFIED');
  const { username: _before, ...rest } = me;
  if (username === '') return answerChange(caller, rest, 'userName');
  requireFree(world, me, username);
  return answerChange(caller, { ...me, username }, 'userName');
};

/** https://core.telegram.org/method/account.checkUsername */
const checkUsername: Method = (params, { world, me }) => {
  requireFree(world, me, params['username'] as string);
  return true;
};

/** @throws {RpcError} 400 USERNAME_INVALID, USERNAME_OCCUPIED */
function requireFree(world: World, me: UserRow, username: string): void {
  if (!usernamePattern.test(username)) throw new RpcError(400, 'USERNAME_INVALID');
  const owner = findByUsername(world, username);
  if (owner && (owner.kind !== 'user' || owner.id !== me.id)) throw new RpcError(400, 'USERNAME_OCCUPIED');
}

function answerChange({ world, me, call }: Caller, changed: UserRow, kind: 'userName' | 'user') {
  world.tables.users.put(changed);
  pushChange(world, tellUserChange(world, me.id, kind), call.sessionId);
  return tlUser(world, me.id, changed);
}

export const nameMethods: Record<string, Method> = {
  'account.updateProfile': updateProfile,
  'account.updateUsername': updateUsername,
  'account.checkUsername': checkUsername,
};
