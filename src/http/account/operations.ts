import { SessionIdResponse } from '../session/schemas.ts';
import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { exampleUser } from '../user/operations.ts';
import { Devices } from './schemas.ts';

const needed = { access: 'session', tag: 'People', needs: 'connected' } as const;
const late: ErrorLine = [500, 'telegram did not answer in time', 'Within 240 seconds.'];

const account = { ...exampleUser, about: 'Builds bridges', isPremium: false };
const device = {
  id: '-7409123456789012345',
  isCurrent: false,
  model: 'Pixel 9',
  platform: 'Android 16',
  app: 'Telegram Android 12.1',
  created: exampleTime,
  active: exampleTime,
  ip: '203.0.113.7',
  country: 'Germany',
};

export const accountOperations: Readonly<Record<string, Operation>> = {
  'GET /account': {
    ...needed,
    id: 'getAccount',
    summary: 'The account as it shows itself',
    description: 'The account that is logged in: its name, username, text and picture as others see them.',
    response: { description: 'The account.', schema: component('Account'), example: account },
    errors: [late],
  },
  'PATCH /account': {
    ...needed,
    id: 'changeAccount',
    summary: 'Change name, text, username or picture',
    description:
      'What is left out stays. The first word of `name` is the first name. An empty `about` or `username` removes it. ' +
      'The picture is prepared as images are, and comes in front of those before it: a repeated request adds it again. ' +
      '`GET /session` shows the change a moment later.',
    requests: {
      name: { name: 'Bob Stone', about: 'Builds bridges' },
      username: { username: 'bobstone' },
      picture: { picture: { url: 'https://files.example/a' } },
      uploaded: { picture: { file: exampleId } },
    },
    response: { description: 'The account as it is now.', schema: component('Account'), example: account },
    errors: [
      [400, 'name must be a string', ''],
      [400, 'picture.url should not be empty', 'Nor `picture.data` (base64), nor `picture.file` (of POST /file).'],
      [400, 'picture must have only one of url, data, file', ''],
      [400, 'picture.data must be base64', ''],
      [400, 'file not found', 'Of another session, or uploaded more than an hour ago.'],
      [500, 'error parser file from url …', 'The picture could not be downloaded from the given URL.'],
      [500, 'error compress image: …', 'JPEG, PNG and WebP are accepted.'],
      [429, 'too many files of this session are under way', 'With Retry-After.'],
      [503, 'too many files are under way', 'Of all sessions together; with Retry-After.'],
      [500, '400: USERNAME_OCCUPIED (caused by account.UpdateUsername)', 'Somebody else has it.'],
      [500, '400: ABOUT_TOO_LONG (caused by account.UpdateProfile)', 'More than 70 characters (140 with Premium).'],
      late,
    ],
  },
  'GET /account/devices': {
    ...needed,
    id: 'listDevices',
    summary: 'The logins of the account',
    description: 'Each device or program that is logged in, this session (`isCurrent`) among them.',
    response: { description: 'The logins.', schema: Devices, example: { docs: [device] } },
    errors: [late],
  },
  'DELETE /account/devices/:id': {
    ...needed,
    id: 'removeDevice',
    summary: 'Log a device out',
    description: 'This session is deleted with `DELETE /session`.',
    parameters: { id: 'Of the list.' },
    response: { description: 'The device is logged out.', schema: SessionIdResponse, example: { id: exampleId } },
    errors: [
      [400, 'id must be a number', ''],
      [400, 'id must be that of another device', 'It is this session.'],
      [500, '400: HASH_INVALID (caused by account.ResetAuthorization)', 'There is no such device.'],
      [
        500,
        '406: FRESH_RESET_AUTHORISATION_FORBIDDEN (caused by account.ResetAuthorization)',
        'The session has not been logged in for a day.',
      ],
      late,
    ],
  },
};
