import { Type } from 'typebox';
import { readerEventTypes } from '../../webhook/filter/event-filter.ts';
import { keywords } from '../shared/keywords.ts';
import { logPosition } from '../shared/paging.ts';
import { chatsField, eventsField } from '../webhook/event-filter-fields.ts';

/** `GET /session/messages/stream` (EV3). */
export const ReaderQuery = Type.Object({
  reader: Type.String(
    keywords({ pattern: String.raw`^[\w.-]{1,64}$`, is: 'up to 64 letters, digits, dots, hyphens or underscores' }),
  ),
  events: Type.Optional(eventsField(readerEventTypes)),
  chats: Type.Optional(chatsField),
  after: Type.Optional(logPosition),
});
