import { readChatUpTo, switchChat } from '../../chats/chat-settings.ts';
import { readRecipient } from '../../recipients/recipient.ts';
import { topicIn } from '../message/schemas.ts';
import type { App } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import { ArchiveChatBody, ReadChatBody, SwitchChatBody } from './schemas.ts';

const switches = ['mute', 'pin'] as const;

/** What the account sets for its chats (CT3), inside the authentication of a connected session. */
export function chatSettingRoutes(app: App, deps: ChatServiceDeps): void {
  app.post('/chat/read', { schema: { body: ReadChatBody } }, async ({ view, caller, body }) => {
    const upTo = body.messageId ? Number(body.messageId) : undefined;
    await readChatUpTo(chatServiceOf({ view, caller }, deps), readRecipient(body), { upTo, topic: topicIn(body) });
    return { id: view.id };
  });

  app.post('/chat/archive', { schema: { body: ArchiveChatBody } }, async ({ view, caller, body }) => {
    await switchChat(chatServiceOf({ view, caller }, deps), readRecipient(body), 'archive', {
      isOn: body.on,
      topic: undefined,
    });
    return { id: view.id };
  });
  for (const which of switches) {
    app.post(`/chat/${which}`, { schema: { body: SwitchChatBody } }, async ({ view, caller, body }) => {
      const to = { isOn: body.on, topic: topicIn(body) };
      await switchChat(chatServiceOf({ view, caller }, deps), readRecipient(body), which, to);
      return { id: view.id };
    });
  }
}
