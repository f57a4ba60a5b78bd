import { SessionIdResponse } from '../session/schemas.ts';
import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';

const picture = `https://gateway.example/media/${exampleId}/1002/5000000002/profile/Jb0…43 letters….jpg`;
export const exampleUser = { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '15550000002', picture };
const person = {
  ...exampleUser,
  about: 'Builds bridges',
  isBot: false,
  isContact: true,
  isBlocked: false,
  isPremium: false,
};

const userId = 'User ID, or @username.';
export const userErrors: ErrorLine[] = [
  [400, 'chat not found', 'No user, or one that the account has not met.'],
  [400, 'invalid chat', 'No username at all.'],
  [500, 'telegram did not answer in time', 'Within 240 seconds.'],
];
const done = (description: string) => ({ description, schema: SessionIdResponse, example: { id: exampleId } });
const needed = { access: 'session', tag: 'People', needs: 'connected', parameters: { userId } } as const;

export const userOperations: Readonly<Record<string, Operation>> = {
  'GET /user/:userId': {
    ...needed,
    id: 'getUser',
    summary: 'One person or bot',
    description: 'By ID or username. The account has to have met the user of an ID.',
    response: { description: 'The person or bot.', schema: component('Person'), example: person },
    errors: userErrors,
  },
  'POST /user/:userId/block': {
    ...needed,
    id: 'blockUser',
    summary: 'Block a user',
    description: 'They cannot write to the account any more, and do not see when it is online.',
    response: done('The user is blocked.'),
    errors: userErrors,
  },
  'DELETE /user/:userId/block': {
    ...needed,
    id: 'unblockUser',
    summary: 'End the blocking of a user',
    description: 'A user who is not blocked stays so.',
    response: done('The user is not blocked.'),
    errors: userErrors,
  },
};
