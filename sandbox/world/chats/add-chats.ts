import { addProfilePhoto } from '../files/add-file.ts';
import { placeMessage } from '../messages/send-message.ts';
import { type Change, joinChanges } from '../notices.ts';
import type { ChatRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { peerOf, tell } from './tell-members.ts';

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
export function addChats(
  world: World,
  creator: number,
  { kind, count, members, title }: NewChats,
): { chats: ChatRow[]; change: Change } {
  const users = addMadeUpUsers(world, members);
  const changes: Change[] = [];
  const chats = Array.from({ length: count }, (_, index) => {
    const name = count === 1 ? title : `${title} ${index + 1}`;
    const chat = addChat(world, kind, creator, name);
    for (const id of users) chat.members[id] = { date: chat.date, inviter: creator };
    world.tables.chats.put(chat);
    const { updates } = placeMessage(world, creator, peerOf(chat), { text: `Welcome to ${name}` });
    changes.push(tell(world, chat, chat.kind === 'chat' ? 'participants' : 'chat', [creator]), {
      updates,
      notices: [],
    });
    return chat;
  });
  return { chats, change: joinChanges(...changes) };
}

/** Adds a chat with a photo and a description, whose only member is its creator, without messages. */
export function addChat(world: World, kind: NewChats['kind'], creator: number, title: string): ChatRow {
  const chat = newChat(world, kind, creator, title);
  chat.about = `All about ${title}`;
  chat.photo = addProfilePhoto(world, 2, chat.id, chat.date).id;
  return world.tables.chats.put(chat);
}

/** A chat whose only member is its creator. It is not in the table yet. */
export function newChat(world: World, kind: NewChats['kind'], creator: number, title: string): ChatRow {
  const rowKind = kind === 'basic' ? 'chat' : 'channel';
  const id = nextId(world, `lastChatId/${rowKind}`, firstIds[rowKind]);
  const date = world.now();
  const members: ChatRow['members'] = { [creator]: { date, role: 'creator' } };
  const chat: ChatRow = { kind: rowKind, id, title, about: '', date, dc: 2, members };
  if (kind === 'supergroup') chat.megagroup = true;
  return chat;
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
