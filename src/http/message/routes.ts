import { countSend } from '../../messaging/count-send.ts';
import { sendMessage } from '../../messaging/send-message.ts';
import { readRecipient } from '../../recipients/recipient.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { IdempotencyHeaders, idempotentSend, sendDeps } from '../shared/idempotent-send.ts';
import { readMessage } from './read-message.ts';
import { MessageBody } from './schemas.ts';

/** `POST /message`, inside the authentication of a connected session. */
export function messageRoutes(app: App, parts: AppDeps): void {
  app.post('/message', { schema: { headers: IdempotencyHeaders, body: MessageBody } }, (request, reply) => {
    const receiver = readRecipient(request.body);
    const message = readMessage(request.body);
    const sending = sendDeps(parts, request.view.id);
    const sent = { what: { receiver, message }, takesLong: 'url' in message.content };
    return idempotentSend(parts, request, reply, sent, async (options) => {
      const messageId = await countSend(parts.metrics, message.content.type, () =>
        sendMessage(sending, receiver, message, options),
      );
      return { messageId: String(messageId) };
    });
  });
}
