import { RpcError, type TlObject } from '../../../rpc.ts';
import { memberOf } from '../../../world/chats/members.ts';
import type { UserRow } from '../../../world/state/rows.ts';
import type { Caller } from '../../method.ts';

/** `chat_size_max` of help.getConfig: members of a basic group. */
export const maxGroupMembers = 200;
/** `channels_limit_default` and `…_premium` of https://core.telegram.org/api/config#client-configuration */
const maxChannels = 500;
const maxChannelsPremium = 1_000;

/**
 * Those of the users whom the caller can add to a chat, and a `missingInvitee` for each who does not let the caller.
 * @throws {RpcError} 400 INPUT_USER_DEACTIVATED
 */
export function invitable({ me }: Caller, users: readonly UserRow[]): { fit: number[]; missing: TlObject[] } {
  if (users.some(({ deleted }) => deleted)) throw new RpcError(400, 'INPUT_USER_DEACTIVATED');
  const distinct = [...new Set(users)];
  const isClosed = (user: UserRow): boolean => user.blocked?.includes(me.id) ?? false;
  return {
    fit: distinct.filter((user) => !isClosed(user)).map(({ id }) => id),
    missing: distinct.filter(isClosed).map(({ id }) => ({ _: 'missingInvitee', user_id: BigInt(id) })),
  };
}

/** @throws {RpcError} 400 CHANNELS_TOO_MUCH if the caller is in as many supergroups and channels as one may be */
export function requireRoomForChannel({ world, me }: Caller): void {
  const joined = [...world.tables.chats.values()].filter((chat) => chat.kind === 'channel' && memberOf(chat, me.id));
  if (joined.length >= (me.premium ? maxChannelsPremium : maxChannels)) throw new RpcError(400, 'CHANNELS_TOO_MUCH');
}
