import { Type } from 'typebox';
import { recipientFields, topic } from '../message/schemas.ts';

const { group, user, username, phone } = recipientFields;

/** `POST /typing` (TY2: no channel). Every type except `audio` shows typing. */
export const TypingBody = Type.Object({ group, user, username, phone, topic, type: Type.Optional(Type.String()) });
