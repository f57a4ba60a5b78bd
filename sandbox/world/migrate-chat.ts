import { addChat } from './add-chats.ts';
import { placeMessage } from './messages/send-message.ts';
import { channelPeer, chatPeer, peerKey } from './state/peer.ts';
import type { ChatRow, Member } from './state/rows.ts';
import type { World } from './world.ts';

/**
 * Turns a basic group into a supergroup. The basic group stays, deactivated, and names its successor.
 * https://core.telegram.org/api/channel#migration
 */
export function migrateChat(world: World, group: ChatRow, by: number): ChatRow {
  const channel = addChat(world, 'supergroup', by, group.title);
  const members: Record<string, Member> = structuredClone(group.members);
  Object.assign(channel, { about: group.about, members, migratedFrom: group.id });
  if (group.photo === undefined) delete channel.photo;
  else channel.photo = group.photo;
  world.tables.chats.put(channel);
  const to = { _: 'messageActionChatMigrateTo', channel_id: BigInt(channel.id) };
  placeMessage(world, by, chatPeer(group.id), { text: '', action: to });
  const from = { _: 'messageActionChannelMigrateFrom', title: group.title, chat_id: BigInt(group.id) };
  placeMessage(world, by, channelPeer(channel.id), { text: '', action: from });
  world.tables.chats.put({ ...(world.tables.chats.get(peerKey(group)) ?? group), migratedTo: channel.id });
  return channel;
}
