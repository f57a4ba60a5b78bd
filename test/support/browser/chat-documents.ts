import type { ChatDoc, MessageDoc } from '../../../console/api/types.ts';

/** A message of Bob's private chat as `GET /chat/message` has it. */
export function messageDoc(fields: Partial<MessageDoc> = {}): MessageDoc {
  return {
    id: '1',
    chatId: '1002',
    fromMe: false,
    user: { id: '1002', name: 'Bob Stone', username: 'bobstone', phone: '', picture: '' },
    type: 'text',
    text: 'Hello',
    entities: [],
    replyTo: '',
    created: '2026-03-04T10:00:00.000Z',
    topic: '',
    reactions: [],
    buttons: [],
    edited: '',
    ...fields,
  };
}

/** Bob's private chat as `GET /chat` has it. */
export function chatDoc(fields: Partial<ChatDoc> = {}): ChatDoc {
  return {
    id: '1002',
    kind: 'user',
    name: 'Bob Stone',
    username: 'bobstone',
    picture: '',
    unread: 0,
    muted: false,
    pinned: false,
    archived: false,
    last: null,
    ...fields,
  };
}
