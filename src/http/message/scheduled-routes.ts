import type { LinkTo } from '../../chats/message-content.ts';
import { deleteScheduled, listScheduled } from '../../chats/scheduled-messages.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import { DeleteScheduledQuery, ScheduledQuery } from './scheduled-schemas.ts';

type Deps = ChatServiceDeps & Pick<AppDeps, 'mediaLinks'>;

/** The queue of messages that Telegram sends later (MX1), inside the authentication of a connected session. */
export function scheduledRoutes(app: App, deps: Deps): void {
  app.get('/message/scheduled', { schema: { querystring: ScheduledQuery } }, ({ view, caller, query }) => {
    const chats = chatServiceOf({ view, caller }, deps);
    const linkTo: LinkTo = (ref, ext) => deps.mediaLinks.link(view.id, chats.account.id, ref, ext);
    return listScheduled(chats, query.chatId, linkTo);
  });

  app.delete(
    '/message/scheduled',
    { schema: { querystring: DeleteScheduledQuery } },
    async ({ view, caller, query }) => {
      await deleteScheduled(chatServiceOf({ view, caller }, deps), query.chatId, Number(query.scheduledId));
      return { id: view.id };
    },
  );
}
