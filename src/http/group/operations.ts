import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { examplePicture, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { GroupMembers, Groups } from './schemas.ts';

const group = {
  id: '-1003001',
  name: 'Makers',
  username: 'makers',
  description: 'People who make things',
  picture: examplePicture,
  created: exampleTime,
};
const member = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '' };

const groupId = 'Group ID or public group username.';
const groupErrors: ErrorLine[] = [
  [400, 'group not found', 'Not a group, or not joined.'],
  [400, 'chat not found', ''],
  [400, 'invalid chat', ''],
];

export const groupOperations: Readonly<Record<string, Operation>> = {
  'GET /group': {
    id: 'listGroups',
    tag: 'Groups',
    summary: 'The joined groups',
    description: 'The first call can take several seconds with many groups.',
    access: 'session',
    needs: 'connected',
    response: { description: 'The groups.', schema: Groups, example: { docs: [group] } },
  },
  'GET /group/:groupId': {
    id: 'getGroup',
    tag: 'Groups',
    summary: 'One joined group',
    description: 'By its ID or its public username.',
    access: 'session',
    needs: 'connected',
    parameters: { groupId },
    response: { description: 'The group.', schema: component('Group'), example: group },
    errors: groupErrors,
  },
  'GET /group/member': {
    id: 'listMembers',
    tag: 'Groups',
    summary: 'The members of a group, at most 10,000',
    description: 'Phones are filled as far as their privacy settings allow.',
    access: 'session',
    needs: 'connected',
    parameters: { groupId },
    response: { description: 'The members.', schema: GroupMembers, example: { docs: [member] } },
    errors: [
      [400, 'groupId must be a string\ngroupId should not be empty', 'It is missing.'],
      ...groupErrors,
      [500, '400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)', 'The group hides its member list.'],
    ],
  },
};
