import { type ForwardRequest, forward } from '../../messaging/actions/forward.ts';
import { pressButton, voteInPoll } from '../../messaging/actions/interactions.ts';
import type { ActionDeps, MessageRef } from '../../messaging/actions/message-actions.ts';
import { deleteMessages, editMessage, pinMessage, reactTo } from '../../messaging/actions/message-actions.ts';
import { countSend } from '../../messaging/count-send.ts';
import { type RecipientFields, readRecipient } from '../../recipients/recipient.ts';
import { payingKey } from '../access/caller.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { type AccountRequest, connectedAccount } from '../shared/connected-account.ts';
import { IdempotencyHeaders, type IdempotentSendDeps, idempotentSend } from '../shared/idempotent-send.ts';
import { ButtonBody, DeleteQuery, EditBody, ForwardBody, PinBody, ReactionBody, VoteBody } from './action-schemas.ts';
import { topicIn } from './schemas.ts';

type Deps = IdempotentSendDeps & Pick<AppDeps, 'accounts' | 'clock' | 'metrics' | 'usage'>;

const noSource = 'invalid from.phone, from.username, from.user, from.group or from.channel';

/** What is done to messages that are there (MX2, MX4), inside the authentication of a connected session. */
export function messageActionRoutes(app: App, deps: Deps): void {
  app.patch('/message', { schema: { headers: IdempotencyHeaders, body: EditBody } }, (request, reply) => {
    const { body, view } = request;
    const message = messageIn(body);
    const text = { text: body.text, parseMode: body.parseMode || undefined };
    const acting = actionDeps(deps, request);
    const sent = { what: { edit: message, text }, takesLong: false };
    return idempotentSend(deps, request, reply, sent, async (options) => {
      await editMessage(acting, message, text, options);
      return { id: view.id };
    });
  });

  app.post('/message/forward', { schema: { headers: IdempotencyHeaders, body: ForwardBody } }, (request, reply) => {
    const { body, view } = request;
    const wanted: ForwardRequest = {
      from: readRecipient(body.from, noSource),
      messageIds: body.messageIds.map(Number),
      to: readRecipient(body),
      topic: topicIn(body),
      dropAuthor: body.dropAuthor ?? false,
    };
    const acting = actionDeps(deps, request);
    const pace = deps.paces.of(view.id, acting.account.id);
    const sending = { ...acting, randomness: deps.randomness, pace };
    const { length: messages } = wanted.messageIds;
    const sent = { what: { forward: wanted }, takesLong: false, messages };
    const counted = { sessionId: view.id, keyId: payingKey(request), type: 'forward', messages };
    return idempotentSend(deps, request, reply, sent, (options) =>
      countSend(deps, counted, async () => ({
        messageIds: (await forward(sending, wanted, options)).map(String),
      })),
    );
  });

  app.post('/message/button', { schema: { headers: IdempotencyHeaders, body: ButtonBody } }, (request, reply) => {
    const { body } = request;
    const message = messageIn(body);
    const place = { row: body.row, column: body.column };
    const acting = actionDeps(deps, request);
    const sent = { what: { button: message, place }, takesLong: false };
    return idempotentSend(deps, request, reply, sent, async (options) => ({
      ...(await pressButton(acting, message, place, options)),
    }));
  });

  app.post('/message/vote', { schema: { headers: IdempotencyHeaders, body: VoteBody } }, (request, reply) => {
    const { body, view } = request;
    const message = messageIn(body);
    const { options: places } = body;
    const acting = actionDeps(deps, request);
    const sent = { what: { vote: message, places }, takesLong: false };
    return idempotentSend(deps, request, reply, sent, async (options) => {
      await voteInPoll(acting, message, places, options);
      return { id: view.id };
    });
  });

  app.delete('/message', { schema: { querystring: DeleteQuery } }, async (request) => {
    const { query } = request;
    const { messageIds, forEveryone } = query;
    const chat = readRecipient(query);
    const wanted = { chat, messageIds: messageIds.map(Number), forEveryone: forEveryone === 'true' };
    await deleteMessages(actionDeps(deps, request), wanted);
    return { id: request.view.id };
  });

  app.post('/message/reaction', { schema: { body: ReactionBody } }, async (request) => {
    const { body } = request;
    await reactTo(actionDeps(deps, request), messageIn(body), body.emoji.trim());
    return { id: request.view.id };
  });

  app.post('/message/pin', { schema: { body: PinBody } }, async (request) => {
    const { body } = request;
    await pinMessage(actionDeps(deps, request), messageIn(body), true);
    return { id: request.view.id };
  });

  app.delete('/message/pin', { schema: { querystring: PinBody } }, async (request) => {
    const { query } = request;
    await pinMessage(actionDeps(deps, request), messageIn(query), false);
    return { id: request.view.id };
  });
}

/** @throws {GatewayError} 500: it has just disconnected */
function actionDeps({ accounts, clock }: Pick<Deps, 'accounts' | 'clock'>, request: AccountRequest): ActionDeps {
  return { account: connectedAccount(accounts, request), clock };
}

/** @throws {GatewayError} 400: no chat, or an impossible one */
function messageIn(fields: RecipientFields & { messageId: string }): MessageRef {
  return { chat: readRecipient(fields), messageId: Number(fields.messageId) };
}
