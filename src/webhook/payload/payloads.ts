import { type Static, type TObject, Type } from 'typebox';
import { contentFields, userFields } from '../../chats/message-schema.ts';
import type { deliveredTypes } from '../stream/delivery-events.ts';

/** The payloads of webhooks (WH2, WH3), published under `docs/webhooks/`. */

const closed = { additionalProperties: false };
const text = (description: string) => Type.String({ description });
const time = (description: string) => Type.String({ description: `${description} ISO 8601.` });

const user = Type.Object(
  { id: text('User ID. Usable as `user` in Send Message.'), ...userFields },
  { ...closed, description: 'The other side of the private chat, whichever side wrote.' },
);
const chatId = text('ID of the private chat.');

const messageFields = {
  id: text('Message ID.'),
  chatId,
  fromMe: Type.Boolean({ description: "True when the account's owner wrote it, on another device." }),
  user,
  ...contentFields,
  replyTo: text('ID of the message that it replies to; empty if none.'),
  created: time('When the message was sent.'),
};

const MessageData = Type.Object(messageFields, closed);
const EditedData = Type.Object({ ...messageFields, edited: time('When it was edited.') }, closed);
const DeletedData = Type.Object({ chatId, messageIds: Type.Array(Type.String()), user }, closed);
const ReadData = Type.Object(
  {
    chatId,
    upTo: text('Every message up to this ID has been read.'),
    fromMe: Type.Boolean({
      description: "True when the account's owner read, on another device; else the other side.",
    }),
    user,
  },
  closed,
);

const envelope = <Type_ extends string, Data extends TObject>(type: Type_, data: Data, description: string) =>
  Type.Object(
    {
      id: text('Of the event: the same whenever it is sent again, and in the header `webhook-id`.'),
      seq: Type.Integer({ description: "Number of the session's event, from 1 and without a gap; 0 of a test." }),
      previous: Type.Integer({
        description:
          'The `seq` of the event before it for the same receiver; 0 if there is none. Another one is missing.',
      }),
      type: Type.Literal(type),
      created: time('When it was recorded.'),
      session: Type.Object(
        {
          id: text('Main ID of the session.'),
          generatedId: text('User ID of the account in which it happened.'),
          externalId: Type.Optional(text("The caller's own ID of the session. Left out if it has none.")),
        },
        closed,
      ),
      data,
    },
    { ...closed, title: type, description },
  );

/** By `type`. */
export const payloads = {
  message: envelope('message', MessageData, 'A new message in a private chat.'),
  'message.edited': envelope('message.edited', EditedData, 'A message of a private chat was edited: as it is now.'),
  'message.deleted': envelope('message.deleted', DeletedData, 'Messages of a private chat were deleted.'),
  'message.read': envelope('message.read', ReadData, 'Messages of a private chat were read.'),
  test: envelope('test', Type.Object({}, closed), 'What `POST /session/webhook/test` sends.'),
};
type PayloadType = keyof typeof payloads;
export type Payload = Static<(typeof payloads)[PayloadType]>;
export type PayloadData = Payload['data'];

// Every type that is delivered has its payload.
payloads satisfies Record<(typeof deliveredTypes)[keyof typeof deliveredTypes], TObject>;
