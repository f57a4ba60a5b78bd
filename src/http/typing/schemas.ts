import { Type } from 'typebox';
import { recipientFields } from '../message/schemas.ts';

const { group, user, username, phone } = recipientFields;

/** `POST /typing` (TY2: no channel). Every type except `audio` shows typing. */
export const TypingBody = Type.Object({ group, user, username, phone, type: Type.Optional(Type.String()) });
