import { expect } from 'vitest';
import type { Group } from '../../../src/chats/groups.ts';
import type { Reading } from './reading-scene.ts';
import { ann } from './scene.ts';

/** The groups of the seeded world as Ann's session has them. */

export interface Member {
  id: string;
  name: string;
  username: string;
  phone: string;
}

export const family = {
  id: '-2001',
  name: 'Family',
  username: '',
  description: 'The three of us',
  picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]+=*$/),
  created: '2025-11-06T09:00:00.000Z',
};
export const makers = {
  id: '-1003001',
  name: 'Makers',
  username: 'makers',
  description: 'People who make things, and show them.',
  picture: expect.stringMatching(/^data:image\/jpeg;base64,[\w+/]+=*$/),
  created: '2025-12-01T10:00:00.000Z',
};

export const groupPath = (groupId: string): string => `/group/${encodeURIComponent(groupId)}`;
export const memberPath = (groupId: string): string => `/group/member?groupId=${encodeURIComponent(groupId)}`;

/** `GET /group`. */
export async function listGroups({ get }: Reading): Promise<Group[]> {
  const { status, body } = await get<{ docs: Group[] }>('/group');
  expect([status, Object.keys(body)]).toEqual([200, ['docs']]);
  return body.docs;
}

/** `GET /group/member`. */
export async function listMembers({ get }: Reading, groupId: string): Promise<Member[]> {
  const { status, body } = await get<{ docs: Member[] }>(memberPath(groupId));
  expect([status, Object.keys(body)]).toEqual([200, ['docs']]);
  return body.docs;
}

/** Groups of Ann's that are made for a test, by the sandbox; returns the first one's ID. */
export async function makeGroup(reading: Reading, body: object): Promise<string> {
  const [made] = await reading.scene.sandbox.call<{ peer: string }[]>('POST', `/accounts/${ann}/groups`, body);
  await untilListsAreAskedForAgain(reading);
  return made?.peer ?? '';
}

/** What Telegram is asked again for one answer alone, a moment later. */
export const untilListsAreAskedForAgain = ({ scene }: Reading): Promise<void> => scene.pass(10_001);
