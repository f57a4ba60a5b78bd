import { paceErrors } from '../session/pace-errors.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { allowanceHeaders } from '../shared/openapi/response-headers.ts';
import { MethodAnswer } from './schemas.ts';

export const telegramOperations: Readonly<Record<string, Operation>> = {
  'POST /telegram/:method': {
    id: 'callMethod',
    tag: 'Any method',
    summary: "Call any method of Telegram's API as the session's account",
    description:
      'Methods and parameters of layer 198 with their published names (https://core.telegram.org/methods), `_` for the ' +
      'constructor of an object. Bytes are base64, 64-bit integers are strings. A chat ID stands for an input peer, ' +
      'user or channel. A `random_id` that is left out is chosen at random. The answer has the same form; messages of ' +
      "Telegram's own accounts, which send login codes, are empty in it. Each call is recorded in the session's audit, " +
      'without its parameters.\n\nRefused: `auth.*`, `updates.*`, `phone.*`, `invoke*`, `initConnection`, what takes a ' +
      'password, `payments.*` but `payments.get*`, `*UrlAuth`, and of `account.*` what concerns the deletion of the ' +
      'account, phone, e-mail, password, secure values, authorizations, devices and business bots.',
    access: 'owner',
    needs: 'connected',
    parameters: { method: '`messages.getHistory`' },
    requests: {
      search: { params: { q: 'trains', limit: 10 } },
      draft: { params: { peer: '1002', message: 'I wanted to say' } },
      constructor: { params: { key: { _: 'inputPrivacyKeyStatusTimestamp' } } },
    },
    response: {
      description: "Telegram's answer.",
      schema: MethodAnswer,
      example: { _: 'contacts.found', my_results: [], results: [], chats: [], users: [] },
    },
    headers: allowanceHeaders,
    errors: [
      [404, 'method not found', 'The layer has no such method.'],
      [400, 'auth.logOut is refused', ''],
      [400, 'params must be an object', ''],
      [400, 'params.peer should not be empty', ''],
      [400, 'params.media.file.parts must be an integer', 'Likewise every other type, with its path.'],
      [400, 'params.hash must be a 64-bit integer in a string', ''],
      [400, 'params.peer must be a known chat', 'The account has not met it.'],
      [400, 'params.media._ must be one of the following values: …', ''],
      ...paceErrors,
      [500, 'telegram did not answer in time', 'After 240 s.'],
    ],
  },
};
