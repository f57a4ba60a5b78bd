import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, examplePicture, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { ChannelMessagesSchema, Channels } from './schemas.ts';

const channel = {
  id: '-1004001',
  name: 'Daily',
  username: 'daily',
  picture: examplePicture,
  isOwner: true,
  created: exampleTime,
};
const mediaLink = (variant: string, ext: string): string =>
  `https://gateway.example/media/${exampleId}/-1004001/210/${variant}/Jb0…43 letters….${ext}`;
const message = {
  id: '210',
  serverId: 210,
  url: 'https://t.me/daily/210',
  type: 'video',
  text: 'How it is made',
  video: { url: mediaLink('file', 'mp4'), thumbnail: mediaLink('thumb', 'jpg'), duration: 30, mimetype: 'video/mp4' },
  created: exampleTime,
};

const channelId = 'Channel ID or public channel username.';
const channelErrors: ErrorLine[] = [
  [400, 'channel not found', 'Not a channel, or not joined.'],
  [400, 'chat not found', ''],
  [400, 'invalid chat', ''],
];

export const channelOperations: Readonly<Record<string, Operation>> = {
  'GET /channel': {
    id: 'listChannels',
    tag: 'Channels',
    summary: 'The joined channels',
    description: '`isOwner` is true if the account has made or administers the channel.',
    access: 'session',
    needs: 'connected',
    response: { description: 'The channels.', schema: Channels, example: { docs: [channel] } },
  },
  'GET /channel/:channelId': {
    id: 'getChannel',
    tag: 'Channels',
    summary: 'One joined channel',
    description: 'By its ID or its public username.',
    access: 'session',
    needs: 'connected',
    parameters: { channelId },
    response: { description: 'The channel.', schema: component('Channel'), example: channel },
    errors: channelErrors,
  },
  'GET /channel/message': {
    id: 'listChannelMessages',
    tag: 'Channels',
    summary: 'The messages of a channel, newest first',
    description: 'Up to 100; service messages are left out.',
    access: 'session',
    needs: 'connected',
    parameters: { channelId, before: 'The `before` of the previous page; empty for the newest messages.' },
    response: {
      description: 'A page of messages.',
      schema: ChannelMessagesSchema,
      example: { docs: [message], before: 110 },
    },
    errors: [
      [400, 'channelId must be a string\nchannelId should not be empty', 'It is missing.'],
      [400, 'before must be a number', ''],
      ...channelErrors,
    ],
  },
};
