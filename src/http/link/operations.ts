import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId, exampleTime } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { unchangedWhileAway } from '../shared/openapi/store-errors.ts';
import { type CustomerView, LinkIdResponse, LinkPage, type LinkSchema, NewLink } from './schemas.ts';

const link: LinkSchema = {
  id: '01a1fdb0-52e1-7f30-9c1a-3f1f6a7d0b11',
  state: 'open',
  externalId: 'customer-4711',
  label: 'Shop 7',
  tenant: '',
  created: exampleTime,
  by: 'owner',
  expires: '2026-01-06T08:15:00.000Z',
  ended: '',
  session: exampleId,
  sessionsMade: 1,
};
const view: CustomerView = {
  state: 'qrPending',
  deadline: '2026-01-05T08:18:00.000Z',
  qrcode: 'iVBORw0KGgoAAAANSUhEUgAA…',
  codeSentTo: '',
  sessionsLeft: 9,
};
const shown = { schema: component<CustomerView>('CustomerView'), example: view };
const noSession: ErrorLine = [404, 'session not found', 'The link shows none: press the button first.'];

export const linkOperations: Readonly<Record<string, Operation>> = {
  'POST /links': {
    id: 'createLink',
    tag: 'Links',
    summary: 'Make a link for a customer',
    description:
      'Send `url` to the person whose account is to be connected. Opening it changes nothing; its button creates the session, or shows the one with this `externalId` that lives. `session` is as in POST /session, without `login`; its `proxy` is tried when the button is pressed. Once the account is connected, the link is used up.',
    access: 'operator',
    requests: {
      plain: {},
      'of a customer': {
        session: { externalId: 'customer-4711', label: 'Shop 7' },
        expires: '2026-01-06T08:15:00.000Z',
      },
      'through a proxy': { session: { proxy: { url: 'socks5://user:password@proxy.example:1080' } } },
    },
    response: {
      schema: NewLink,
      example: {
        id: link.id,
        url: 'https://gateway.example/link/#tgl_01a1fdb052e17f309c1a3f1f6a7d0b11_…',
        expires: link.expires,
      },
    },
    errors: [
      [400, 'session.proxy.url must be the url of a proxy', ''],
      [400, 'expires must be an ISO 8601 time', ''],
      [400, 'expires must be in the future', ''],
      [400, 'expires must be within 7 days', ''],
      unchangedWhileAway,
    ],
  },
  'GET /links': {
    id: 'listLinks',
    tag: 'Links',
    summary: 'The links, without their tokens',
    description: 'A link is listed until a week after its end.',
    access: 'operator',
    parameters: {
      after: 'The `after` of the previous page.',
      limit: 'Up to this many, 1 to 100; default 50.',
      state: 'Only links in this state; `any`: all. Default: open.',
    },
    response: { schema: LinkPage, example: { docs: [link], after: '' } },
    errors: [[400, 'limit must be between 1 and 100', '']],
  },
  'DELETE /links/:id': {
    id: 'withdrawLink',
    tag: 'Links',
    summary: 'Withdraw a link',
    description: 'It opens nothing from then on. A session that it has created stays.',
    access: 'operator',
    parameters: { id: 'ID of the link.' },
    response: { schema: LinkIdResponse, example: { id: link.id } },
    errors: [[404, 'link not found', 'No such link, or it has ended already.'], unchangedWhileAway],
  },
  'GET /link/session': {
    id: 'getLinkedSession',
    tag: 'Links',
    summary: 'What the customer’s page shows',
    description: 'The page at `/link/` calls it with the token of its address. It changes nothing.',
    access: 'link',
    response: shown,
  },
  'POST /link/session': {
    id: 'openLinkedSession',
    tag: 'Links',
    summary: 'Create or show the session of a link',
    access: 'link',
    response: shown,
    errors: [
      [400, 'link has no more sessions', 'It has made ten.'],
      [429, 'limit of 20 sessions reached', 'If the key that made the link has a limit.'],
      [400, 'proxy cannot be used: it cannot be reached', 'Or why else; see PUT /session/proxy. Nothing was changed.'],
      unchangedWhileAway,
    ],
  },
  'POST /link/login': {
    id: 'requestLinkedLoginCode',
    tag: 'Links',
    summary: 'Log in by a code instead of the QR',
    access: 'link',
    requests: { plain: { phone: '+1 555 000 0001' } },
    response: shown,
    errors: [
      noSession,
      [400, 'phone must be a phone number', ''],
      [400, 'phone cannot log in here: it has no account yet', 'Or why else Telegram does not log it in.'],
      [400, 'session does not wait for a login', ''],
      [400, 'no more codes can be asked for', 'Three were sent.'],
      [503, 'telegram is out of reach', 'With Retry-After.'],
    ],
  },
  'POST /link/code': {
    id: 'submitLinkedLoginCode',
    tag: 'Links',
    summary: 'Submit the login code',
    access: 'link',
    requests: { plain: { code: '12345' } },
    response: shown,
    errors: [
      noSession,
      [400, 'invalid code', ''],
      [400, 'code expired', 'Another one is sent, unless three were.'],
      [400, 'code is not required', ''],
      [503, 'telegram is out of reach', 'With Retry-After.'],
    ],
  },
  'POST /link/password': {
    id: 'submitLinkedPassword',
    tag: 'Links',
    summary: 'Submit the two-step password',
    access: 'link',
    requests: { plain: { password: 'hunter2' } },
    response: shown,
    errors: [noSession, [400, 'invalid password', ''], [400, 'password is not required', '']],
  },
};
