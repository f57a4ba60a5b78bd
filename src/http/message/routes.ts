import type { FastifyRequest } from 'fastify';
import { type Content, hasFiles } from '../../messaging/content.ts';
import { type CountedSend, countSend } from '../../messaging/count-send.ts';
import { scheduleSend } from '../../messaging/schedule-send.ts';
import { sendAlbumMessage } from '../../messaging/send-album.ts';
import { sendMessage } from '../../messaging/send-message.ts';
import { readRecipient } from '../../recipients/recipient.ts';
import type { QueuedSend } from '../../telegram/port/outgoing.ts';
import { payingKey } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { IdempotencyHeaders, type IdempotentSendDeps, idempotentSend, sendDeps } from '../shared/idempotent-send.ts';
import type { LargeBodies } from '../shared/limits/large-bodies.ts';
import { mediaBodyLimit } from './media-source.ts';
import { readMessage } from './read-message.ts';
import { MessageBody } from './schemas.ts';

type Deps = IdempotentSendDeps & Pick<AppDeps, 'metrics' | 'usage'> & { bodies: LargeBodies };

const messagesOf = (content: Content): number => (content.type === 'album' ? content.items.length : 1);

const countedSend = (request: FastifyRequest, content: Content): CountedSend => ({
  sessionId: request.view.id,
  keyId: payingKey(request),
  type: content.type,
  messages: messagesOf(content),
});

const sentAlbum = (ids: readonly number[]): { messageId: string; messageIds: string[] } => ({
  messageId: String(ids[0]),
  messageIds: ids.map(String),
});

/** What is due within seconds was sent at once: it has message IDs. */
function queuedMessage({ type }: Content, { ids, isWaiting }: QueuedSend): Record<string, string | string[]> {
  const [first] = ids;
  if (!isWaiting) return type === 'album' ? sentAlbum(ids) : { messageId: String(first) };
  return { scheduledId: String(first), ...(type === 'album' && { scheduledIds: ids.map(String) }) };
}

/** `POST /message`, inside the authentication of a connected session. */
export function messageRoutes(app: App, deps: Deps): void {
  const schema = { headers: IdempotencyHeaders, body: MessageBody };
  const limits = { bodyLimit: mediaBodyLimit, preParsing: deps.bodies.count };
  app.post('/message', { schema, ...limits }, (request, reply) => {
    const receiver = readRecipient(request.body);
    const message = readMessage(request.body);
    const sending = sendDeps(deps, request);
    const sent = {
      what: { receiver, message },
      takesLong: hasFiles(message.content),
      messages: messagesOf(message.content),
    };
    return deps.bodies.during(request, () =>
      idempotentSend(deps, request, reply, sent, (options) =>
        countSend(deps, countedSend(request, message.content), async () => {
          const { content, sendAt } = message;
          if (sendAt !== undefined) {
            return queuedMessage(content, await scheduleSend(sending, receiver, { ...message, sendAt }, options));
          }
          return content.type === 'album'
            ? sentAlbum(await sendAlbumMessage(sending, receiver, { ...message, content }, options))
            : { messageId: String(await sendMessage(sending, receiver, { ...message, content }, options)) };
        }),
      ),
    );
  });
}
