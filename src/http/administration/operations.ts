import { idempotencyKey } from '../message/operations.ts';
import { SessionIdResponse } from '../session/schemas.ts';
import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { createdChat, Invites, joinedResponse, MissingMembers } from './schemas.ts';

const late: ErrorLine = [500, 'telegram did not answer in time', 'Within 240 seconds.'];
const wrongUser: ErrorLine[] = [
  [400, 'chat not found', 'A user that the account has not met, or the chat does not exist.'],
  [400, 'invalid chat', 'No username at all.'],
];
const wrongUsers: ErrorLine[] = [
  [400, 'users should not be empty', ''],
  [400, 'users must be an array', ''],
  [400, 'users must have between 1 and 200 entries', ''],
  ...wrongUser,
];
const mustBeAdmin: ErrorLine = [
  500,
  '400: CHAT_ADMIN_REQUIRED (caused by …)',
  'The account is no administrator, or may not do this.',
];
const invite = {
  link: 'https://t.me/+AbCdEfGhIjKlMnOp',
  name: 'Spring',
  created: exampleTime,
  expires: '',
  limit: 10,
  uses: 2,
  approval: false,
};
const done = (description: string) => ({ description, schema: SessionIdResponse, example: { id: exampleId } });
const picture = { url: 'https://files.example/a' };

const kinds = {
  group: { tag: 'Groups', id: '-1003001', title: 'Group', param: 'Group ID or public group username.' },
  channel: { tag: 'Channels', id: '-1004001', title: 'Channel', param: 'Channel ID or public channel username.' },
} as const;

/** The endpoints that groups and channels have both. */
function operationsOf(kind: 'group' | 'channel'): Record<string, Operation> {
  const { tag, id, title, param } = kinds[kind];
  const needed = { access: 'session', tag, needs: 'connected' } as const;
  const inChat = { ...needed, parameters: { [`${kind}Id`]: param } };
  const notFound: ErrorLine = [400, `${kind} not found`, `Not a ${kind}, or not joined.`];
  const ofChat: ErrorLine[] = [notFound, late];
  const one = `/${kind}/:${kind}Id`;
  return {
    [`POST /${kind}`]: {
      ...needed,
      id: `create${title}`,
      summary: `Make a ${kind}`,
      description:
        'With users, by ID or @username. Telegram has no number for this request: after a crash, a repeated one takes a ' +
        `${kind} of that name that the account has made since the first one for its own.`,
      parameters: idempotencyKey,
      requests:
        kind === 'group'
          ? {
              group: { name: 'Family', users: ['1002', '@cara'] },
              supergroup: { name: 'Makers', users: [], kind: 'supergroup', description: 'People who make things' },
            }
          : { channel: { name: 'Daily', description: 'Once a day' } },
      response: {
        description: `The ${kind} is there. \`missing\` has the users that could not be added.`,
        schema: createdChat(`${kind}Id`),
        example: { [`${kind}Id`]: id, missing: [] },
      },
      errors: [
        [400, 'name should not be empty', ''],
        ...wrongUsers,
        [400, 'idempotency key was used with another body', ''],
        [503, 'the idempotency keys of this session cannot be read', 'A request without a key is possible.'],
        [500, '400: CHANNELS_TOO_MUCH (caused by channels.CreateChannel)', 'The account is in 500 of them.'],
        late,
      ],
    },
    [`PATCH ${one}`]: {
      ...inChat,
      id: `change${title}`,
      summary: `Change a ${kind}`,
      description:
        'What is left out stays. An empty `description` removes it. The picture is prepared as images are.' +
        (kind === 'group'
          ? ' `permissions` are those of ordinary members. `slowmode` is for supergroups: 0, 5, 10, 30, 60, 300, 900 or 3600 seconds.'
          : ''),
      requests: {
        name: { name: 'A new name', description: '' },
        picture: { picture },
        uploaded: { picture: { file: exampleId } },
        ...(kind === 'group' && { permissions: { permissions: { media: false, invite: true }, slowmode: 60 } }),
      },
      response: done(`The ${kind} is changed.`),
      errors: [
        [400, 'name must be a string', ''],
        [400, 'picture.url should not be empty', 'Nor `picture.data` (base64), nor `picture.file` (of POST /file).'],
        [400, 'picture must have only one of url, data, file', ''],
        [400, 'picture.data must be base64', ''],
        [400, 'file not found', 'Of another session, or uploaded more than an hour ago.'],
        ...(kind === 'group' ? ([[400, 'slowmode is for supergroups only', '']] as ErrorLine[]) : []),
        [500, 'error parser file from url …', 'The picture could not be downloaded from the given URL.'],
        [500, 'error compress image: …', 'JPEG, PNG and WebP are accepted.'],
        [429, 'too many files of this session are under way', 'With Retry-After.'],
        [503, 'too many files are under way', 'Of all sessions together; with Retry-After.'],
        mustBeAdmin,
        ...ofChat,
      ],
    },
    [`POST ${one}/member`]: {
      ...inChat,
      id: `add${title}Members`,
      summary: `Add users to a ${kind}`,
      description: 'By ID or @username. Users who are in it already stay.',
      requests: { users: { users: ['1002', '@cara'] } },
      response: {
        description: '`missing` has the users that could not be added.',
        schema: MissingMembers,
        example: { missing: ['1003'] },
      },
      errors: [...wrongUsers, mustBeAdmin, ...ofChat],
    },
    [`DELETE ${one}/member`]: {
      ...needed,
      id: `remove${title}Members`,
      summary: `Remove users from a ${kind}`,
      description: 'They come back only if an administrator adds them.',
      parameters: { [`${kind}Id`]: param, users: 'Separated by commas, or the parameter is repeated.' },
      response: done('The users are no members any more.'),
      errors: [[400, 'users must be a string\nusers should not be empty', ''], ...wrongUser, mustBeAdmin, ...ofChat],
    },
    [`PUT ${one}/member/:userId`]: {
      ...needed,
      id: `set${title}Role`,
      summary: 'Make a member an administrator, or an ordinary member',
      description: 'An administrator gets the usual rights, as far as the account has them.',
      parameters: { [`${kind}Id`]: param, userId: 'User ID, or @username.' },
      requests: { admin: { role: 'admin' }, member: { role: 'member' } },
      response: done('The member has the role.'),
      errors: [
        [400, 'role must be one of the following values: admin, member', ''],
        ...wrongUser,
        [500, '400: USER_NOT_PARTICIPANT (caused by …)', 'The user is no member.'],
        mustBeAdmin,
        ...ofChat,
      ],
    },
    [`GET ${one}/invite`]: {
      ...inChat,
      id: `list${title}Invites`,
      summary: 'The valid invite links of the account',
      description: 'Only those that the account itself has made.',
      response: { description: 'The links.', schema: Invites, example: { docs: [invite] } },
      errors: [mustBeAdmin, ...ofChat],
    },
    [`POST ${one}/invite`]: {
      ...inChat,
      id: `create${title}Invite`,
      summary: 'Make an invite link',
      description: 'A repeated request makes another one.',
      requests: {
        plain: {},
        limited: { name: 'Spring', expires: '2026-06-01T00:00:00Z', limit: 10 },
        approved: { approval: true },
      },
      response: { description: 'The link.', schema: component('Invite'), example: invite },
      errors: [
        [400, 'limit must be between 1 and 99999', ''],
        [400, 'expires must be an ISO 8601 time', ''],
        mustBeAdmin,
        ...ofChat,
      ],
    },
    [`POST /${kind}/join`]: {
      ...needed,
      id: `join${title}`,
      summary: `Join a ${kind}`,
      description: 'By an invite link, a public link or a username. The account may be in it already.',
      requests: { invite: { link: 'https://t.me/+AbCdEfGhIjKlMnOp' }, public: { link: 't.me/makers' } },
      response: {
        description: `The account is in the ${kind}, or has asked to join it.`,
        schema: joinedResponse(`${kind}Id`),
        example: { [`${kind}Id`]: id },
      },
      errors: [
        [400, 'link should not be empty', ''],
        [400, `${kind} not found`, `It leads to no ${kind}.`],
        ...wrongUser,
        [500, '400: INVITE_HASH_EXPIRED (caused by messages.CheckChatInvite)', 'The link is not valid any more.'],
        late,
      ],
    },
    [`DELETE ${one}/membership`]: {
      ...inChat,
      id: `leave${title}`,
      summary: `Leave a ${kind}`,
      description: `The ${kind} stays for its other members.`,
      response: done(`The account is not in the ${kind} any more.`),
      errors: [[500, '400: USER_CREATOR (caused by channels.LeaveChannel)', 'The account has made it.'], ...ofChat],
    },
  };
}

export const administrationOperations: Readonly<Record<string, Operation>> = {
  ...operationsOf('group'),
  ...operationsOf('channel'),
};
