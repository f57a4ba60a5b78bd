import { Type } from 'typebox';
import { MessageSchema } from '../chat/schemas.ts';
import { filledText } from '../shared/fields.ts';
import { maybeTime } from '../shared/openapi/describe.ts';
import { messageId } from './schemas.ts';

export const ScheduledQuery = Type.Object({ chatId: filledText });
export const DeleteScheduledQuery = Type.Object({ chatId: filledText, scheduledId: messageId });

export const ScheduledMessages = Type.Object({
  docs: Type.Array(
    Type.Object(
      {
        ...MessageSchema.properties,
        sendAt: maybeTime('When Telegram sends it. Empty: when the other side is online.'),
      },
      { additionalProperties: false },
    ),
  ),
});
