import { addProfilePhoto } from './files/add-file.ts';
import { placeMessage } from './messages/send-message.ts';
import { channelPeer, chatPeer } from './state/peer.ts';
import type { ChatRow } from './state/rows.ts';
import type { World } from './world.ts';

/** The first IDs of chats that are added at run time. */
const firstIds = { chat: 20_001, channel: 60_001 } as const;
const firstMemberId = 100_001;

export interface NewChats {
  kind: 'basic' | 'supergroup' | 'channel';
  count: number;
  /** Members to make up, besides the creator. */
  members: number;
  title: string;
}

/** Adds `count` chats, each with a photo, a description and a first message. */
export function addChats(world: World, creator: number, { kind, count, members, title }: NewChats): ChatRow[] {
  const users = addMadeUpUsers(world, members);
  return Array.from({ length: count }, (_, index) => {
    const name = count === 1 ? title : `${title} ${index + 1}`;
    const chat = addChat(world, kind, creator, name);
    for (const id of users) chat.members[id] = { date: chat.date, inviter: creator };
    world.tables.chats.put(chat);
    const peer = chat.kind === 'chat' ? chatPeer(chat.id) : channelPeer(chat.id);
    placeMessage(world, creator, peer, { text: `Welcome to ${name}` });
    return chat;
  });
}

/** Adds a chat whose only member is its creator, without messages. */
export function addChat(world: World, kind: NewChats['kind'], creator: number, title: string): ChatRow {
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
  return world.tables.chats.put(chat);
}

/** Adds users that only fill member lists: the control API does not act for them. Returns their IDs. */
export function addMadeUpUsers(world: World, count: number): number[] {
  return Array.from({ length: count }, () => {
    const id = nextId(world, 'lastMemberId', firstMemberId);
    const number = id - firstMemberId + 1;
    world.tables.users.put({
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

function nextId(world: World, counter: string, first: number): number {
  const value = (world.tables.meta.get(counter)?.value ?? first - 1) + 1;
  world.tables.meta.put({ name: counter, value });
  return value;
}
