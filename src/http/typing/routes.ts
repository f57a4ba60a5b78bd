import { readRecipient } from '../../recipients/recipient.ts';
import { topicIn } from '../message/schemas.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { connectedAccount } from '../shared/connected-account.ts';
import { TypingBody } from './schemas.ts';

const noReceiver = 'invalid phone, username, user or group';

/** `POST /typing` (TY1), inside the authentication of a connected session. */
export function typingRoutes(app: App, { accounts, typing }: Pick<AppDeps, 'accounts' | 'typing'>): void {
  app.post('/typing', { schema: { body: TypingBody } }, async ({ view, caller, body }) => {
    const { group, user, username, phone, type } = body;
    const receiver = readRecipient({ group, user, username, phone }, noReceiver);
    const account = connectedAccount(accounts, { view, caller });
    await typing.show(view.id, account, receiver, {
      action: type === 'audio' ? 'recording-audio' : 'typing',
      topic: topicIn(body),
    });
    return { id: view.id };
  });
}
