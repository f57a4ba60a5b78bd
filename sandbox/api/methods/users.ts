import type { TlObject } from '../../rpc.ts';
import { memberOf } from '../../world/members.ts';
import type { ChatRow, UserRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { inputUser } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { tlPhoto } from '../objects/tl-file.ts';
import { defaultNotifySettings } from '../objects/tl-peer.ts';
import { tlUser } from '../objects/tl-user.ts';

/** An unknown user or a wrong access hash gives `userEmpty`: the answer has one entry for each input. */
const getUsers: Method = (params, caller) =>
  (params['id'] as TlObject[]).map((input) => {
    try {
      return tlUser(caller.world, caller.me.id, inputUser(caller, input));
    } catch {
      return { _: 'userEmpty', id: (input['user_id'] as bigint | undefined) ?? 0n };
    }
  });

const getFullUser: Method = (params, caller) => {
  const { world, me } = caller;
  const user = inputUser(caller, params['id'] as TlObject);
  const photo = user.photo === undefined ? undefined : world.tables.files.get(user.photo);
  return {
    _: 'users.userFull',
    full_user: {
      _: 'userFull',
      id: BigInt(user.id),
      about: user.about,
      blocked: me.blocked?.includes(user.id) ?? false,
      can_pin_message: true,
      settings: { _: 'peerSettings' },
      profile_photo: photo && tlPhoto(world, me.id, photo),
      notify_settings: defaultNotifySettings,
      bot_info: user.bot ? { _: 'botInfo', user_id: BigInt(user.id), description: user.about } : undefined,
      common_chats_count: commonChats(world, me, user).length,
    },
    chats: [],
    users: [tlUser(world, me.id, user)],
  };
};

function commonChats(world: World, a: UserRow, b: UserRow): ChatRow[] {
  if (a.id === b.id) return [];
  return [...world.tables.chats.values()]
    .filter((chat) => chat.megagroup !== undefined || chat.kind === 'chat')
    .filter((chat) => memberOf(chat, a.id) && memberOf(chat, b.id));
}

export const userMethods: Record<string, Method> = { 'users.getUsers': getUsers, 'users.getFullUser': getFullUser };
