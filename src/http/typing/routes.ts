import { readRecipient } from '../../recipients/recipient.ts';
import { topicIn } from '../message/schemas.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { TypingBody } from './schemas.ts';

const noReceiver = 'invalid phone, username, user or group';

/** `POST /typing` (TY1), inside the authentication of a connected session. */
export function typingRoutes(app: App, { typing }: Pick<AppDeps, 'typing'>): void {
  app.post('/typing', { schema: { body: TypingBody } }, async ({ view: { id }, body }) => {
    const { group, user, username, phone, type } = body;
    const receiver = readRecipient({ group, user, username, phone }, noReceiver);
    await typing.show(id, receiver, type === 'audio' ? 'recording-audio' : 'typing', topicIn(body));
    return { id };
  });
}
