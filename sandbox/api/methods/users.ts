import type { TlObject } from '../../rpc.ts';
import { memberOf } from '../../world/chats/members.ts';
import { dialogOf } from '../../world/dialogs.ts';
import { pinnedMessages } from '../../world/messages/pin-messages.ts';
import { scheduledIn } from '../../world/scheduled/scheduled-messages.ts';
import { notifySettings } from '../../world/settings/notify-settings.ts';
import { userPeer } from '../../world/state/peer.ts';
import type { ChatRow, UserRow } from '../../world/state/rows.ts';
import type { World } from '../../world/world.ts';
import { inputUser } from '../input/input-peer.ts';
import type { Method } from '../method.ts';
import { tlPhoto } from '../objects/tl-file.ts';
import { tlPeerSettings } from '../objects/tl-peer-settings.ts';
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
  const canBeCalled = user.id !== me.id && !user.bot && !user.deleted && !user.support;
  return {
    _: 'users.userFull',
    full_user: {
      _: 'userFull',
      id: BigInt(user.id),
      about: user.about,
      blocked: me.blocked?.includes(user.id) ?? false,
      blocked_my_stories_from: me.storiesBlocked?.includes(user.id) ?? false,
      can_pin_message: true,
      phone_calls_available: canBeCalled,
      video_calls_available: canBeCalled,
      contact_require_premium: user.contactsOnly ?? false,
      folder_id: dialogOf(world, me.id, userPeer(user.id)).archived ? 1 : undefined,
      settings: tlPeerSettings(world, me.id, userPeer(user.id)),
      profile_photo: photo && tlPhoto(world, me.id, photo),
      notify_settings: notifySettings(world, me.id, { peer: userPeer(user.id) }),
      bot_info: user.bot
        ? { _: 'botInfo', user_id: BigInt(user.id), description: user.about, commands: [] }
        : undefined,
      has_scheduled: scheduledIn(world, me.id, userPeer(user.id)).length > 0,
      pinned_msg_id: pinnedMessages(world, me.id, userPeer(user.id)).at(-1)?.id,
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
