import { listChannelMessages } from '../../chats/channel-messages.ts';
import { getChannel, listChannels } from '../../chats/channels.ts';
import { maxMessageId } from '../message/schemas.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import { ChannelParams, MessagesQuery } from './schemas.ts';

type Deps = ChatServiceDeps & Pick<AppDeps, 'mediaLinks'>;

/** The joined channels and their messages, inside the authentication of a connected session. */
export function channelRoutes(app: App, deps: Deps): void {
  app.get('/channel', async (request) => ({ docs: await listChannels(chatServiceOf(request, deps)) }));

  app.get('/channel/message', { schema: { querystring: MessagesQuery } }, ({ view, caller, query }) => {
    const chats = chatServiceOf({ view, caller }, deps);
    return listChannelMessages(
      chats,
      query.channelId,
      // Empty: the newest. No message has a higher ID than the highest.
      Math.min(Number(query.before ?? ''), maxMessageId),
      (ref, ext) => deps.mediaLinks.link(view.id, chats.account.id, ref, ext),
    );
  });

  app.get('/channel/:channelId', { schema: { params: ChannelParams } }, (request) =>
    getChannel(chatServiceOf(request, deps), request.params.channelId),
  );
}
