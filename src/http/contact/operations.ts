import { SessionIdResponse } from '../session/schemas.ts';
import { component } from '../shared/openapi/describe.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleId } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { exampleUser, userErrors } from '../user/operations.ts';
import { Contacts, PhoneCheck } from './schemas.ts';

const needed = { access: 'session', tag: 'People', needs: 'connected' } as const;
const late: ErrorLine = [500, 'telegram did not answer in time', 'Within 240 seconds.'];
const wrongPhone: ErrorLine = [400, 'invalid receiver', 'The phone has fewer than 8 digits.'];

export const contactOperations: Readonly<Record<string, Operation>> = {
  'GET /contact': {
    ...needed,
    id: 'listContacts',
    summary: 'The contacts of the account',
    description: 'All of them, in one list.',
    response: { description: 'The contacts.', schema: Contacts, example: { docs: [exampleUser] } },
    errors: [late],
  },
  'POST /contact': {
    ...needed,
    id: 'addContact',
    summary: 'Save a contact',
    description: 'The first word of `name` is the first name. A contact that is there gets the new name.',
    requests: { contact: { phone: '+1 555 000 0002', name: 'Bob Stone' } },
    response: { description: 'The contact.', schema: component('User'), example: exampleUser },
    errors: [
      [400, 'phone should not be empty\nname should not be empty', 'They are missing.'],
      wrongPhone,
      [400, 'phone is not on telegram or hidden by its privacy settings', ''],
      [429, 'telegram takes no more contacts now', 'With Retry-After.'],
      late,
    ],
  },
  'GET /contact/check': {
    ...needed,
    id: 'checkPhone',
    summary: 'Whether a number is on Telegram',
    description: 'Telegram allows about 200 such look-ups a day. A number that is found is remembered for an hour.',
    parameters: { phone: 'With the country code.' },
    response: {
      description: 'Whether it is there, and whose it is.',
      schema: PhoneCheck,
      example: { exists: true, user: exampleUser },
    },
    errors: [[400, 'phone must be a string\nphone should not be empty', 'It is missing.'], wrongPhone, late],
  },
  'DELETE /contact/:userId': {
    ...needed,
    id: 'deleteContact',
    summary: 'Delete a contact',
    description: 'The chat with the user stays.',
    parameters: { userId: 'User ID, or @username.' },
    response: {
      description: 'The user is no contact any more.',
      schema: SessionIdResponse,
      example: { id: exampleId },
    },
    errors: userErrors,
  },
};
