import { readerEventTypes } from '../../webhook/filter/event-filter.ts';
import type { ErrorLine } from '../shared/openapi/errors.ts';
import { exampleEnvelope } from '../shared/openapi/example-values.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { storeIsAway } from '../shared/openapi/store-errors.ts';

const errors: readonly ErrorLine[] = [
  [400, 'reader must be a string\nreader should not be empty', 'It is missing.'],
  [400, 'reader must be up to 64 letters, digits, dots, hyphens or underscores', ''],
  [400, `events.0 must be one of the following values: ${readerEventTypes.join(', ')}`, ''],
  [400, 'chats must be one of the following values: private, groups, channels, all', ''],
  [400, 'chats must have between 1 and 100 entries', ''],
  [400, 'chats.0 must be a chat ID', ''],
  [400, 'after must be a number', ''],
  [400, 'a session has up to 5 readers', ''],
  [403, 'a key with chats has to name IDs of chats, or all', ''],
  [429, 'too many streams of this session are open', 'With Retry-After.'],
  storeIsAway,
];
const parameters = {
  reader: 'Name of the reader: its place is kept under it.',
  events: 'Types of events, with commas. Left out: as before, at first those of messages.',
  chats:
    '`private`, `groups`, `channels`, `all`, or up to 100 chat IDs, with commas. Left out: as before, at first `private`; of a key with ' +
    '`chats`, at first all of these.',
  after: 'Number of the last event that the reader has. Of the stream, `Last-Event-ID` counts more.',
};

export const readerOperations: Readonly<Record<string, Operation>> = {
  'GET /session/messages/stream': {
    id: 'streamMessages',
    tag: 'Webhook',
    summary: 'What happens in the account, as server-sent events',
    description:
      'The envelopes that a webhook gets, for those who cannot be called. A session has up to five readers, each with its filter ' +
      'and its place; what one wishes is kept, and recorded for, until 24 hours after it left. It gets what was recorded since it ' +
      'first came, from its place on: the event of `Last-Event-ID`, else `after`, else the one that it named last. ' +
      'A reader that connects again ends its earlier connection. The stream ends with the session.',
    access: 'session',
    parameters: {
      ...parameters,
      'last-event-id': 'Number of the last event that the reader has; browsers send it by themselves.',
    },
    response: {
      mediaType: 'text/event-stream',
      description: 'Server-sent events: `id` is `seq`, `event` the type, `data` the envelope as JSON.',
      example: `retry: 2000\n\nid: 17\nevent: message.read\ndata: ${JSON.stringify(exampleEnvelope)}\n\n`,
    },
    errors: [...errors, [400, 'last-event-id must be a number', '']],
  },
  'GET /session/messages': {
    id: 'readMessages',
    tag: 'Webhook',
    summary: 'The same as a WebSocket',
    description:
      'Each message is an envelope as JSON. `{ "ack": 17 }` says that all up to 17 have arrived: the place of the reader, kept ' +
      'within a second. A reader that comes back without `after` goes on there.',
    access: 'session',
    parameters,
    response: {
      mediaType: 'application/json',
      description: 'The WebSocket opens (101). Its messages are envelopes.',
      example: JSON.stringify(exampleEnvelope),
    },
    errors: [...errors, [426, 'a websocket is needed', 'The request is no handshake of a WebSocket.']],
  },
};
