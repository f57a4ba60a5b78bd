import { Type } from 'typebox';
import { chatScopes, type EventType } from '../../webhook/filter/event-filter.ts';
import { keywords } from '../shared/keywords.ts';

const maxChats = 100;
/** More is no chat ID of Telegram's. */
const maxIdLength = 32;

/** `events`: some of these types. */
export const eventsField = (types: readonly EventType[]) =>
  Type.Array(Type.Enum([...types]), { minItems: 1, maxItems: types.length });

/** `chats`: a word, or the IDs of chats. */
export const chatsField = Type.Union([
  Type.Enum([...chatScopes]),
  Type.Array(Type.String({ maxLength: maxIdLength, ...keywords({ pattern: String.raw`^-?\d+$`, is: 'a chat ID' }) }), {
    minItems: 1,
    maxItems: maxChats,
  }),
]);
