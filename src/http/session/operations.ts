import { component } from '../shared/openapi/describe.ts';
import { exampleId, examplePicture, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import {
  ChangedSession,
  CodeResponse,
  CodeSentResponse,
  type CreatedSession,
  PaceResponse,
  type Session,
  SessionIdResponse,
  SessionStringResponse,
} from './schemas.ts';
import { ProxyResponse } from './session-proxy.ts';

const pending: Session = {
  id: exampleId,
  generatedId: '',
  name: 'Support desk',
  username: '',
  phone: '',
  sessionId: 'pKx0mZr6cWm0N8kq3lq9yV1x5o0oQ2zq7tB3r1c9u4E',
  isConnected: false,
  qrcode: 'iVBORw0KGgoAAAANSUhEUgAA…',
  isPasswordRequired: false,
  passwordHint: '',
  isCodeRequired: false,
  codeSentTo: '',
  picture: '',
  webhook: { url: '', token: '' },
};
const created: CreatedSession = { ...pending, created: exampleTime, expires: '2026-01-05T08:18:00.000Z' };
export const connectedSession: Session = {
  ...pending,
  generatedId: '1001',
  name: 'Ann Lee',
  username: 'annlee',
  phone: '15550000001',
  isConnected: true,
  qrcode: '',
  picture: examplePicture,
};

export const sessionOperations: Readonly<Record<string, Operation>> = {
  'POST /session': {
    id: 'createSession',
    tag: 'Sessions',
    summary: 'Create a session',
    description:
      'Responds at once. The QR follows within a second or two: poll GET /session every 2 to 3 seconds. With `login` it ' +
      'responds when Telegram has sent a login code to the phone (`isCodeRequired`), has logged in the bot, or has said ' +
      'whose session string it is. If that fails there is no session. A string’s login is this session’s from then on: ' +
      'end the program that had it first. With `proxy` it responds when Telegram was reached through it; the login goes through it.',
    access: 'operator',
    requests: {
      plain: {},
      'with a webhook': {
        name: 'Support desk',
        metadata: { desk: 'berlin' },
        webhook: { url: 'https://crm.example/telegram', token: 'whsec-of-mine' },
      },
      'with names of your own': { externalId: 'customer-4711', label: 'Support desk' },
      'with a login code': { login: { phone: '+1 555 000 0001' } },
      'of a bot': { login: { botToken: '1004:AAExampleTokenOfABot' } },
      'by a session string': { login: { string: '1ApWapzMBu5fY0k1Zy8…' } },
      'through a proxy': { proxy: { url: 'socks5://user:password@proxy.example:1080' } },
    },
    response: { description: 'The session, with its secret.', schema: component('CreatedSession'), example: created },
    errors: [
      [429, 'limit of 20 sessions reached', 'If the key has a limit.'],
      [400, 'phone cannot log in here: PHONE_NUMBER_INVALID', 'Or why else Telegram does not log it in.'],
      [400, 'invalid bot token', ''],
      [400, 'login.string cannot be read: it is not Base64', 'Or what else is wrong with it.'],
      [400, 'string cannot log in here: AUTH_KEY_UNREGISTERED', 'Telegram’s reason. The login is not logged out.'],
      [400, 'string is used by another session', ''],
      [400, `externalId is used by session ${exampleId}`, 'A live session has it.'],
      [500, 'A wait of 120 seconds is required (caused by auth.SendCode)', 'Too many codes; with Retry-After.'],
      [503, 'telegram is out of reach', 'With Retry-After.'],
      [503, 'sessions are still starting', 'With a string, right after a start; with Retry-After.'],
      [400, 'proxy.url must be the url of a proxy', ''],
      [400, 'proxy cannot be used: it cannot be reached', 'Or why else; see PUT /session/proxy.'],
      [400, 'webhook.url and webhook.token must be both filled, or both empty to turn the webhook off', ''],
      [400, 'webhook.url must be an http or https url', ''],
      [400, 'webhook.token must be printable ASCII', ''],
    ],
  },
  'GET /session': {
    id: 'getSession',
    tag: 'Sessions',
    summary: 'Get a session',
    description: 'Works in every state. A 404 while polling for the QR means that it was not scanned in time.',
    access: 'session',
    response: { description: 'The session.', schema: component('Session'), example: connectedSession },
  },
  'POST /session/login': {
    id: 'requestLoginCode',
    tag: 'Sessions',
    summary: 'Log in by a code instead of the QR',
    description:
      'Telegram sends a code to the phone: `codeSentTo` says how. The same phone again has it sent in the next way. Each ' +
      'code has 5 minutes; there are three at most.',
    access: 'session',
    requests: { plain: { phone: '+1 555 000 0001' } },
    response: {
      description: 'Telegram has sent a code, or has logged in without one.',
      schema: CodeSentResponse,
      example: { id: exampleId, isConnected: false, codeSentTo: 'app' },
    },
    errors: [
      [400, 'phone must be a phone number', ''],
      [400, 'phone cannot log in here: it has no account yet', 'Or why else Telegram does not log it in.'],
      [400, 'session does not wait for a login', 'It waits neither for a scan nor for a code.'],
      [400, 'no more codes can be asked for', 'Three were sent.'],
      [500, 'A wait of 120 seconds is required (caused by auth.SendCode)', 'Too many codes; with Retry-After.'],
      [503, 'telegram is out of reach', 'With Retry-After.'],
    ],
  },
  'POST /session/code': {
    id: 'submitLoginCode',
    tag: 'Sessions',
    summary: 'Submit the login code',
    description: 'After a code that has expired another one is sent, up to three.',
    access: 'session',
    requests: { plain: { code: '12345' } },
    response: {
      description: 'The code was right. The session is connected, or waits for the password.',
      schema: CodeResponse,
      example: { id: exampleId, isConnected: true, isPasswordRequired: false },
    },
    errors: [
      [400, 'invalid code', ''],
      [400, 'code expired', 'Another one is sent, unless three were.'],
      [400, 'code is not required', 'isCodeRequired is false.'],
      [400, 'code should not be empty', ''],
      [400, 'phone cannot log in here: it has no account yet', ''],
      [500, 'A wait of 120 seconds is required (caused by auth.SignIn)', 'Too many wrong codes; with Retry-After.'],
      [503, 'telegram is out of reach', 'With Retry-After.'],
    ],
  },
  'POST /session/password': {
    id: 'submitPassword',
    tag: 'Sessions',
    summary: 'Submit the two-step password',
    description: "While `isPasswordRequired` is true. `passwordHint` is what the account's owner noted for it.",
    access: 'session',
    requests: { plain: { password: 'hunter2' } },
    response: { description: 'The password was right.', schema: SessionIdResponse, example: { id: exampleId } },
    errors: [
      [400, 'invalid password', ''],
      [400, 'password is not required', 'isPasswordRequired is false.'],
      [400, 'password should not be empty', ''],
      [
        500,
        'A wait of 120 seconds is required (caused by auth.CheckPassword)',
        'Too many wrong passwords; with Retry-After.',
      ],
    ],
  },
  'PATCH /session': {
    id: 'changeSession',
    tag: 'Sessions',
    summary: 'Change the session’s own names, and its account’s pace',
    description:
      '`externalId` (unique among live sessions) and `label` are yours: they stand in lists, the audit, log lines and webhooks, in the clear, so they are not for personal data. What is left out stays; an empty text takes the name away. `pace` is how fast the account may write: messages of all endpoints in any minute (`perMinute`), and chats without messages that it writes to in any 24 hours (`newChatsPerDay`). A send waits for its turn; a turn more than 240 s away is 429 with Retry-After. `null` turns the pace off.',
    access: 'session',
    requests: {
      plain: { externalId: 'customer-4711', label: 'Support desk' },
      'a label taken away': { label: '' },
      'a pace': { pace: { perMinute: 20, newChatsPerDay: 10 } },
      'no pace': { pace: null },
    },
    response: {
      description: 'The names as they are now.',
      schema: ChangedSession,
      example: { id: exampleId, externalId: 'customer-4711', label: 'Support desk', pace: null },
    },
    errors: [
      [400, `externalId is used by session ${exampleId}`, 'Another live session has it.'],
      [400, 'pace must have perMinute or newChatsPerDay', ''],
      [400, 'pace.perMinute must be between 1 and 1000', ''],
    ],
  },
  'GET /session/pace': {
    id: 'getPace',
    tag: 'Sessions',
    summary: 'The account’s pace, and what waits for its turn',
    access: 'session',
    response: {
      schema: PaceResponse,
      example: {
        id: exampleId,
        pace: { perMinute: 20, newChatsPerDay: 10 },
        waiting: 3,
        nextTurn: exampleTime,
        lastMinute: 20,
        newChats: 4,
      },
    },
  },
  'POST /session/string': {
    id: 'exportLogin',
    tag: 'Sessions',
    summary: 'Give the login away as a session string',
    description:
      'For Telethon, Pyrogram 2, GramJS or mtcute 3. The login is that program’s from then on: its key is dropped here without a log-out, and the session shows a QR code again. If the response is lost, so is the login.',
    access: 'login',
    requests: { plain: { format: 'telethon' } },
    response: {
      description: 'The session string.',
      schema: SessionStringResponse,
      example: { id: exampleId, format: 'telethon', string: '1ApWapzMBu5fY0k1Zy8…' },
    },
    errors: [
      [400, 'format must be one of the following values: telethon, pyrogram, gramjs, mtcute', ''],
      [500, 'session not connected', ''],
    ],
  },
  'PUT /session/proxy': {
    id: 'setProxy',
    tag: 'Sessions',
    summary: 'Set the proxy to Telegram, or turn it off',
    description:
      'From then on every connection of the session goes through it, the log-out included. It is tried first: if Telegram ' +
      'does not answer through it, nothing changes. It survives restarts and resets. An empty `url` turns it off.',
    access: 'session',
    requests: {
      on: { url: 'socks5://user:password@proxy.example:1080' },
      'of Telegram’s own kind': {
        url: 'tg://proxy?server=proxy.example&port=443&secret=dd000102030405060708090a0b0c0d0e0f',
      },
      off: { url: '' },
    },
    response: {
      schema: ProxyResponse,
      example: { id: exampleId, proxy: { url: 'socks5://proxy.example:1080' } },
    },
    errors: [
      [400, 'url should not be empty', 'It is missing.'],
      [400, 'url must be the url of a proxy', ''],
      [400, 'proxy cannot be used: its address is not public', ''],
      [400, 'proxy cannot be used: its name could not be resolved', ''],
      [400, 'proxy cannot be used: it cannot be reached', ''],
      [400, 'proxy cannot be used: it does not connect to Telegram', ''],
      [400, 'proxy cannot be used: it does not accept the user name and password, or the secret', ''],
      [400, 'proxy cannot be used: Telegram does not answer through it', ''],
    ],
  },
  'POST /session/reset': {
    id: 'resetSession',
    tag: 'Sessions',
    summary: 'Log out and show a fresh QR',
    description: 'Keeps id, sessionId, webhook and metadata; fields of the body replace theirs.',
    access: 'session',
    requests: { plain: {} },
    response: {
      description: 'The session as it is now, with its secret.',
      schema: component('CreatedSession'),
      example: created,
    },
  },
  'DELETE /session': {
    id: 'deleteSession',
    tag: 'Sessions',
    summary: 'Delete a session',
    description: 'Logs out at Telegram and erases personal data. Later requests get 404.',
    access: 'session',
    response: { description: 'The session is deleted.', schema: SessionIdResponse, example: { id: exampleId } },
  },
};
