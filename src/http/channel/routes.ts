import { listChannelMessages } from '../../chats/channel-messages.ts';
import { getChannel, listChannels } from '../../chats/channels.ts';
import type { ChatCache } from '../../chats/chat-cache.ts';
import { directoryOf } from '../group/routes.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { ChannelParams, MessagesQuery } from './schemas.ts';

/** The joined channels and their messages, inside the authentication of a connected session. */
export function channelRoutes(app: App, parts: AppDeps, cache: ChatCache): void {
  app.get('/channel', async ({ view }) => ({ docs: await listChannels(directoryOf(view.id, parts, cache)) }));

  app.get('/channel/message', { schema: { querystring: MessagesQuery } }, ({ view, query }) =>
    listChannelMessages(
      directoryOf(view.id, parts, cache),
      query.channelId,
      // Empty asks for the newest.
      Number(query.before ?? ''),
      (ref, ext) => parts.mediaLinks.link(view.id, ref, ext),
    ),
  );

  app.get('/channel/:channelId', { schema: { params: ChannelParams } }, ({ view, params }) =>
    getChannel(directoryOf(view.id, parts, cache), params.channelId),
  );
}
