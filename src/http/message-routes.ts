import { sessionNotConnected } from '../errors.ts';
import { sendText } from '../messaging/send-text.ts';
import { receiverFrom } from '../receivers/receiver.ts';
import type { App, AppParts } from './app-types.ts';
import { MessageBody } from './schemas.ts';

/** `POST /message`, inside the authentication of a connected session. */
export function messageRoutes(app: App, { accounts, clock, randomness }: AppParts): void {
  app.post('/message', { schema: { body: MessageBody } }, async ({ view, body }) => {
    const receiver = receiverFrom(body);
    const account = accounts.get(view.id);
    if (account === undefined) throw sessionNotConnected();
    const messageId = await sendText({ account, clock, randomness }, receiver, {
      text: body.text ?? '',
      parseMode: body.parseMode || undefined,
      replyTo: body.replyTo ? Number(body.replyTo) : undefined,
      silent: body.silent,
    });
    return { messageId: String(messageId) };
  });
}
