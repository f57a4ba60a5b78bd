import { countSend } from '../../messaging/count-send.ts';
import { sendMessage } from '../../messaging/send-message.ts';
import { receiverFrom } from '../../recipients/recipient.ts';
import type { App, AppParts } from '../shared/app-types.ts';
import { sendOnce, sendParts } from '../shared/idempotent-send.ts';
import { IdempotencyHeaders, MessageBody } from '../shared/schemas.ts';
import { messageFrom } from './read-message.ts';

/** `POST /message`, inside the authentication of a connected session. */
export function messageRoutes(app: App, parts: AppParts): void {
  app.post('/message', { schema: { headers: IdempotencyHeaders, body: MessageBody } }, (request, reply) => {
    const receiver = receiverFrom(request.body);
    const message = messageFrom(request.body);
    const sending = sendParts(parts, request.view.id);
    const sent = { what: { receiver, message }, takesLong: 'url' in message.content };
    return sendOnce(parts, request, reply, sent, async (options) => {
      const messageId = await countSend(parts.metrics, message.content.type, () =>
        sendMessage(sending, receiver, message, options),
      );
      return { messageId: String(messageId) };
    });
  });
}
