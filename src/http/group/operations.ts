import type { ErrorLine } from '../shared/openapi/errors.ts';
import { examples } from '../shared/openapi/examples.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { named, responses } from '../shared/openapi/response-schemas.ts';

const groupId = 'Group ID or public group username.';
const channelId = 'Channel ID or public channel username.';
const groupErrors: ErrorLine[] = [
  [400, 'group not found', 'Not a group, or not joined.'],
  [400, 'chat not found', ''],
  [400, 'invalid chat', ''],
];
const channelErrors: ErrorLine[] = [
  [400, 'channel not found', 'Not a channel, or not joined.'],
  [400, 'chat not found', ''],
  [400, 'invalid chat', ''],
];

export const directoryOperations: Readonly<Record<string, Operation>> = {
  'GET /group': {
    id: 'listGroups',
    tag: 'Groups',
    summary: 'The joined groups',
    description: 'The first call can take several seconds with many groups.',
    access: 'session',
    needs: 'connected',
    answer: { schema: responses.groups, example: { docs: [examples.group] } },
  },
  'GET /group/:groupId': {
    id: 'getGroup',
    tag: 'Groups',
    summary: 'One joined group',
    access: 'session',
    needs: 'connected',
    parameters: { groupId },
    answer: { schema: named('Group'), example: examples.group },
    errors: groupErrors,
  },
  'GET /group/member': {
    id: 'listMembers',
    tag: 'Groups',
    summary: 'The members of a group, at most 10,000',
    access: 'session',
    needs: 'connected',
    parameters: { groupId },
    answer: { schema: responses.members, example: { docs: [examples.member] } },
    errors: [
      [400, 'groupId must be a string\ngroupId should not be empty', 'It is missing.'],
      ...groupErrors,
      [500, '400: CHAT_ADMIN_REQUIRED (caused by channels.GetParticipants)', 'The group hides its member list.'],
    ],
  },
  'GET /channel': {
    id: 'listChannels',
    tag: 'Channels',
    summary: 'The joined channels',
    access: 'session',
    needs: 'connected',
    answer: { schema: responses.channels, example: { docs: [examples.channel] } },
  },
  'GET /channel/:channelId': {
    id: 'getChannel',
    tag: 'Channels',
    summary: 'One joined channel',
    access: 'session',
    needs: 'connected',
    parameters: { channelId },
    answer: { schema: named('Channel'), example: examples.channel },
    errors: channelErrors,
  },
  'GET /channel/message': {
    id: 'listChannelMessages',
    tag: 'Channels',
    summary: 'The messages of a channel, newest first',
    description: 'Up to 100; fewer where service messages were left out.',
    access: 'session',
    needs: 'connected',
    parameters: { channelId, before: 'The `before` of the page before; empty for the newest messages.' },
    answer: { schema: responses.messages, example: { docs: [examples.message], before: 110 } },
    errors: [
      [400, 'channelId must be a string\nchannelId should not be empty', 'It is missing.'],
      [400, 'before must be a number', ''],
      ...channelErrors,
    ],
  },
  'GET /media/:platformId/:chatId/:messageId/:variant/:file': {
    id: 'getMedia',
    tag: 'Media',
    summary: 'A file of a chat',
    description: 'Links are handed out whole: `file` is `{signature}.{ext}`. HEAD works too.',
    access: 'anyone',
    parameters: {
      platformId: 'ID of the session that owns access to the media.',
      chatId: 'Chat ID holding the media.',
      messageId: 'Message ID. For profile photos, the photo ID.',
      variant: 'photo, thumb, file or profile.',
      file: 'Signature and file extension.',
      range: 'One byte range.',
    },
    answer: { mediaType: '*/*', description: 'The whole file, with its ETag.' },
    further: { 206: 'The range that was asked for, with Content-Range.', 304: 'It is what If-None-Match names.' },
    errors: [
      [400, 'invalid id', 'The first part is not an ID.'],
      [404, 'media not found', 'Tampered link, or deleted message.'],
      [416, 'range not satisfiable', ''],
      [500, 'session not connected', 'Unless everything asked for is still cached.'],
      [503, 'telegram asked to wait 120s', 'With Retry-After.'],
      [503, 'telegram did not answer the media request in time', 'With Retry-After.'],
    ],
  },
};
