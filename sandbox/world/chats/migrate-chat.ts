import { type Change, joinChanges } from '../notices.ts';
import type { ChatRow, Member } from '../state/rows.ts';
import type { World } from '../world.ts';
import { addChat } from './add-chats.ts';
import { placeAction, putChat, tell } from './tell-members.ts';

/**
 * Turns a basic group into a supergroup. The basic group stays, deactivated, and names its successor.
 * https://core.telegram.org/api/channel#migration
 */
export function migrateChat(world: World, group: ChatRow, by: number): { channel: ChatRow; change: Change } {
  const channel = addChat(world, 'supergroup', by, group.title);
  const members: Record<string, Member> = structuredClone(group.members);
  Object.assign(channel, { about: group.about, members, migratedFrom: group.id });
  if (group.defaultBanned) channel.defaultBanned = [...group.defaultBanned];
  if (group.photo === undefined) delete channel.photo;
  else channel.photo = group.photo;
  world.tables.chats.put(channel);
  const to = { _: 'messageActionChatMigrateTo', channel_id: BigInt(channel.id) };
  const left = placeAction(world, group, by, to);
  const from = { _: 'messageActionChannelMigrateFrom', title: group.title, chat_id: BigInt(group.id) };
  const arrived = placeAction(world, channel, by, from);
  group.migratedTo = channel.id;
  putChat(world, group);
  return { channel, change: joinChanges(left, tell(world, channel, 'chat'), arrived) };
}
