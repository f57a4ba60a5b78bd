import { createVerifier, type SrpVerifier } from '../../crypto/srp.ts';
import { addProfilePhoto } from '../files/add-file.ts';
import { telegramId } from '../logins/telegram-account.ts';
import { placeMessage } from '../messages/send-message.ts';
import { channelPeer, chatPeer, type PeerRef, peerKey, userPeer } from '../state/peer.ts';
import type { ChatRow, Member, UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';
import { seedDaily } from './seed-daily.ts';
import { seedMakers } from './seed-makers.ts';

/** 2026-01-05 09:00:00 UTC. All times of the seeded world are relative to it, so that they are always the same. */
const seedTime = 1_767_603_600;
const day = 86_400;

const ann = 1001;
const bob = 1002;
const cara = 1003;

const salts = [Buffer.from('sandbox salt one'), Buffer.from('sandbox salt two')] as const;
/** The same for each sandbox of a process: 100,000 rounds of PBKDF2 take 50 ms or more. */
let bobsVerifier: Promise<SrpVerifier> | undefined;

/** Returns a function that fills an empty world with the seed and may be called many times. */
export async function prepareSeed(): Promise<(world: World) => void> {
  bobsVerifier ??= createVerifier('hunter2', ...salts);
  const verifier = await bobsVerifier;
  return (world) => {
    seedUsers(world, { verifier, hint: 'the usual' });
    seedPrivateChats(world);
    seedGroups(world);
    seedMakers(world);
    seedDaily(world);
    seedChannels(world);
  };
}

function seedUsers(world: World, password: NonNullable<UserRow['password']>): void {
  const photo = (seed: number, dc: number): number => addProfilePhoto(world, dc, seed, seedTime - 90 * day).id;
  const people: UserRow[] = [
    {
      id: ann,
      firstName: 'Ann',
      lastName: 'Lee',
      username: 'annlee',
      aliases: ['ann'],
      phone: '15550000001',
      dc: 2,
      account: true,
      about: 'Makes things.',
      premium: true,
      contacts: [bob],
      photo: photo(1, 2),
    },
    {
      id: bob,
      firstName: 'Bob',
      lastName: 'Stone',
      username: 'bobstone',
      aliases: ['bob'],
      phone: '15550000002',
      dc: 4,
      account: true,
      contacts: [ann],
      password,
      photo: photo(2, 4),
    },
    { id: cara, firstName: 'Cara', phone: '15550000003', phoneHidden: true, dc: 2, account: true },
    {
      id: 1004,
      firstName: 'Helper',
      username: 'helperbot',
      dc: 2,
      account: true,
      bot: true,
      about: 'A bot that listens.',
    },
    { id: 1005, firstName: 'Dan', lastName: 'Deleted', dc: 2, account: true, deleted: true },
    { id: telegramId, firstName: 'Telegram', phone: '42777', dc: 2, support: true },
  ];
  for (const user of people) world.tables.users.put(user);
}

/** Places texts one minute apart. */
function placeTexts(
  world: World,
  start: number,
  lines: readonly (readonly [from: number, to: PeerRef, text: string])[],
): void {
  for (const [index, [from, peer, text]] of lines.entries())
    placeMessage(world, from, peer, { text, date: start + 60 * index });
}

function seedPrivateChats(world: World): void {
  placeTexts(world, seedTime, [
    [ann, userPeer(bob), 'Hi Bob, are you coming on Friday?'],
    [bob, userPeer(ann), 'Yes. I bring the soldering iron.'],
    [ann, userPeer(bob), 'And the tea?'],
    [bob, userPeer(ann), 'And the tea.'],
  ]);
  placeTexts(world, seedTime + day, [
    [cara, userPeer(ann), 'Ann, it is Cara. This is my new number.'],
    [ann, userPeer(cara), 'Saved, thank you!'],
    [cara, userPeer(bob), 'Bob, could you send me the plans?'],
    [bob, userPeer(cara), 'Tonight.'],
    [cara, userPeer(bob), 'No hurry.'],
  ]);
  placeTexts(world, seedTime + 2 * day, [
    [ann, userPeer(1004), '/start'],
    [1004, userPeer(ann), 'I am listening.'],
    [ann, userPeer(1005), 'Dan, are you still here?'],
  ]);
}

function seedGroups(world: World): void {
  const family: Record<string, Member> = {
    [ann]: { date: seedTime - 60 * day, role: 'creator' },
    [bob]: { date: seedTime - 60 * day, inviter: ann },
    [cara]: { date: seedTime - 59 * day, inviter: ann },
  };
  const group = seedBasicGroup(world, {
    kind: 'chat',
    id: 2001,
    title: 'Family',
    about: 'The three of us',
    members: family,
  });
  const created = { _: 'messageActionChatCreate', title: 'Family', users: [BigInt(bob), BigInt(cara)] };
  placeMessage(world, ann, chatPeer(group.id), { text: '', action: created, date: seedTime - 60 * day });
  placeTexts(world, seedTime + 3 * day, [
    [ann, chatPeer(2001), 'Who takes the dog out?'],
    [cara, chatPeer(2001), 'Me, at six.'],
    [bob, chatPeer(2001), 'Then I cook.'],
  ]);
}

function seedChannels(world: World): void {
  const joined = { date: seedTime - 20 * day };
  const owner: Member = { date: seedTime - 30 * day, role: 'creator' };
  const channels: ChatRow[] = [
    {
      ...channelRow(3002, 'Quiet room'),
      megagroup: true,
      membersHidden: true,
      members: { [bob]: owner, [ann]: joined, [cara]: joined },
    },
    { ...channelRow(3003, 'Read only'), megagroup: true, readOnly: true, members: { [bob]: owner, [ann]: joined } },
    {
      ...channelRow(3004, 'Slow'),
      megagroup: true,
      slowmodeSeconds: 30,
      members: { [bob]: owner, [ann]: joined, [cara]: joined },
    },
    { ...channelRow(4002, 'Private notes'), members: { [bob]: owner, [ann]: joined } },
    { ...channelRow(4003, 'Strangers'), username: 'strangers', members: { [bob]: owner, [cara]: joined } },
  ];
  for (const chat of channels) {
    world.tables.chats.put(chat);
    // Private notes has exactly five messages.
    if (chat.id === 4002) continue;
    const action = { _: 'messageActionChannelCreate', title: chat.title };
    placeMessage(world, bob, channelPeer(chat.id), { text: '', action, date: chat.date });
  }
  placeTexts(world, seedTime + 4 * day, [
    [bob, channelPeer(3002), 'Shh.'],
    [ann, channelPeer(3002), 'Fine.'],
    [bob, channelPeer(3003), 'House rules: read them.'],
    [bob, channelPeer(3004), 'One message every half a minute.'],
    [cara, channelPeer(3004), 'Understood.'],
  ]);
  placeTexts(
    world,
    seedTime + 5 * day,
    ['First note', 'Second note', 'Third note', 'Fourth note', 'Fifth note'].map(
      (text) => [bob, channelPeer(4002), text] as const,
    ),
  );
  placeTexts(
    world,
    seedTime + 6 * day,
    ['Hello, whoever you are.', 'This one is public.', 'Join, or do not.'].map(
      (text) => [bob, channelPeer(4003), text] as const,
    ),
  );
}

function channelRow(id: number, title: string): ChatRow {
  return { kind: 'channel', id, title, about: '', date: seedTime - 30 * day, dc: 2, members: {} };
}

function seedBasicGroup(world: World, fields: Pick<ChatRow, 'kind' | 'id' | 'title' | 'about' | 'members'>): ChatRow {
  const chat: ChatRow = {
    ...fields,
    date: seedTime - 60 * day,
    dc: 2,
    photo: addProfilePhoto(world, 2, fields.id, seedTime - 60 * day).id,
  };
  world.tables.chats.put(chat);
  world.tables.box(peerKey({ kind: chat.kind, id: chat.id }));
  return chat;
}
