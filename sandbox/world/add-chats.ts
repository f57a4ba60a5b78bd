import { addProfilePhoto } from './files/add-file.ts';
import { placeMessage } from './send-message.ts';
import { channelPeer, chatPeer, peerKey } from './state/peer.ts';
import type { ChatRow, Member } from './state/rows.ts';
import type { World } from './world.ts';

/** IDs of what is added at run time; basic groups and channels count for themselves. */
const firstIds = { chat: 20_001, channel: 60_001 } as const;
const firstMemberId = 100_001;

export interface NewChats {
  kind: 'basic' | 'supergroup' | 'channel';
  count: number;
  /** Made up people, beside the creator. */
  members: number;
  title: string;
}

/** Many chats at once, each with a photo, a description and a first message. */
export function addChats(world: World, creator: number, { kind, count, members, title }: NewChats): ChatRow[] {
  const people = addPeople(world, members);
  return Array.from({ length: count }, (_, index) => {
    const name = count === 1 ? title : `${title} ${index + 1}`;
    const chat = addChat(world, kind, creator, name);
    for (const id of people) chat.members[id] = { date: chat.date, inviter: creator };
    world.chats.put(chat);
    const peer = chat.kind === 'chat' ? chatPeer(chat.id) : channelPeer(chat.id);
    placeMessage(world, creator, peer, { text: `Welcome to ${name}` });
    return chat;
  });
}

function addChat(world: World, kind: NewChats['kind'], creator: number, title: string): ChatRow {
  const rowKind = kind === 'basic' ? 'chat' : 'channel';
  const id = nextId(world, `lastChatId/${rowKind}`, firstIds[rowKind]);
  const date = world.now();
  const chat: ChatRow = {
    kind: rowKind,
    id,
    title,
    about: `All about ${title}`,
    date,
    dc: 2,
    photo: addProfilePhoto(world, 2, id, date).id,
    members: { [creator]: { date, role: 'creator' } },
  };
  if (kind === 'supergroup') chat.megagroup = true;
  return world.chats.put(chat);
}

/** People whom nobody plays: they are there to be listed. */
export function addPeople(world: World, count: number): number[] {
  return Array.from({ length: count }, () => {
    const id = nextId(world, 'lastMemberId', firstMemberId);
    const number = id - firstMemberId + 1;
    world.users.put({
      id,
      firstName: 'Member',
      lastName: String(number),
      dc: 2,
      phone: `1557${id}`,
      phoneHidden: true,
    });
    return id;
  });
}

/**
 * Makes a supergroup of a basic group, which stays behind, closed, and points to it.
 * https://core.telegram.org/api/channel#migration
 */
export function migrateChat(world: World, group: ChatRow, by: number): ChatRow {
  const channel = addChat(world, 'supergroup', by, group.title);
  const members: Record<string, Member> = structuredClone(group.members);
  Object.assign(channel, { about: group.about, members, migratedFrom: group.id });
  if (group.photo === undefined) delete channel.photo;
  else channel.photo = group.photo;
  world.chats.put(channel);
  const to = { _: 'messageActionChatMigrateTo', channel_id: BigInt(channel.id) };
  placeMessage(world, by, chatPeer(group.id), { text: '', action: to });
  const from = { _: 'messageActionChannelMigrateFrom', title: group.title, chat_id: BigInt(group.id) };
  placeMessage(world, by, channelPeer(channel.id), { text: '', action: from });
  world.chats.put({ ...(world.chats.get(peerKey(group)) ?? group), migratedTo: channel.id });
  return channel;
}

function nextId(world: World, counter: string, first: number): number {
  const value = (world.meta.get(counter)?.value ?? first - 1) + 1;
  world.meta.put({ name: counter, value });
  return value;
}
