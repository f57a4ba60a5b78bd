import { addProfilePhoto } from '../files/add-file.ts';
import { placeMessage } from '../messages/send-message.ts';
import { channelPeer } from '../state/peer.ts';
import type { Member, UserRow } from '../state/rows.ts';
import type { World } from '../world.ts';

const id = 3001;
/** 2025-12-01 09:00:00 UTC. */
const founded = 1_764_579_600;
const firstMember = 5001;
const memberTotal = 250;
const firstNames = ['Ada', 'Ben', 'Cleo', 'Dov', 'Eve', 'Finn', 'Gwen', 'Hugo', 'Iris', 'Jon', 'Kaya', 'Leo', 'Mina'];
const lastNames = ['Acker', 'Berg', 'Cole', 'Dahl', 'Engel', 'Frost', 'Gray', 'Holt', 'Ito', 'Jansen', 'Kline'];
const texts = [
  'Does anyone have a spare nozzle?',
  'The printer works again.',
  'Look at https://example.com/gears before you cut.',
  'Measure twice!',
  'Who left the lathe running?',
  'I finished the #clock',
  'New filament is in the cupboard.',
];

/** Makers: a public supergroup of 250 members. Some have no name or username, some share their phone number. */
export function seedMakers(world: World): void {
  const members: Record<string, Member> = {
    1002: { date: founded, role: 'creator' },
    1001: { date: founded + 3_600, inviter: 1002 },
    1003: { date: founded + 7_200, inviter: 1001 },
    1004: { date: founded + 9_000, inviter: 1002, role: 'admin' },
  };
  const others = memberTotal - Object.keys(members).length;
  for (let index = 0; index < others; index += 1) {
    world.tables.users.put(maker(index));
    members[String(firstMember + index)] = { date: founded + 86_400 + 600 * index };
  }
  world.tables.chats.put({
    kind: 'channel',
    id,
    title: 'Makers',
    about: 'People who make things, and show them.',
    username: 'makers',
    megagroup: true,
    date: founded,
    dc: 2,
    photo: addProfilePhoto(world, 2, id, founded).id,
    members,
  });
  const group = channelPeer(id);
  const action = { _: 'messageActionChannelCreate', title: 'Makers' };
  placeMessage(world, 1002, group, { text: '', action, date: founded });
  for (let index = 0; index < 30; index += 1) {
    const text = texts[index % texts.length] as string;
    const date = founded + 30 * 86_400 + 900 * index;
    const entities = text.includes('https')
      ? [{ _: 'messageEntityUrl', offset: text.indexOf('https'), length: 'https://example.com/gears'.length }]
      : [];
    placeMessage(world, firstMember + ((index * 7) % 200), group, { text, entities, date });
  }
}

/**
 * Every 10th has neither name nor username, every 10th only a username, every 4th no username. Every 6th shares the
 * phone number.
 */
function maker(index: number): UserRow {
  const user: UserRow = { id: firstMember + index, firstName: '', dc: 1 + (index % 5) };
  const nameless = index % 10 === 3 || index % 10 === 7;
  if (!nameless) {
    user.firstName = firstNames[index % firstNames.length] as string;
    if (index % 3 !== 0) user.lastName = lastNames[index % lastNames.length] as string;
  }
  if (index % 10 === 7 || (index % 4 !== 0 && index % 10 !== 3)) user.username = `maker_${index + 1}`;
  user.phone = String(15_551_000_000 + index);
  if (index % 6 !== 0) user.phoneHidden = true;
  return user;
}
