import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import {
  type AdministrationDeps,
  addMembers,
  changeChat,
  createChat,
  createInvite,
  leaveChat,
  listInvites,
  removeMembers,
  setRole,
  type WantedChat,
} from '../../chats/administration/administration.ts';
import { joinChat } from '../../chats/administration/join-chat.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { drawn } from '../../messaging/send-message.ts';
import { readTime } from '../audit/read-time.ts';
import { mediaBodyLimit, sourceOf } from '../message/media-source.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { chatServiceOf } from '../shared/chat-service-of.ts';
import type { AccountRequest } from '../shared/connected-account.ts';
import { IdempotencyHeaders, type IdempotentSendDeps, idempotentSend } from '../shared/idempotent-send.ts';
import type { LargeBodies } from '../shared/limits/large-bodies.ts';
import {
  ChannelChangeBody,
  GroupChangeBody,
  InviteBody,
  JoinBody,
  memberParamsOf,
  NewChannelBody,
  NewGroupBody,
  paramsOf,
  RoleBody,
  UsersBody,
} from './schemas.ts';

type Deps = IdempotentSendDeps & Pick<AppDeps, 'chatCache'> & { bodies: LargeBodies };
type Request = Parameters<typeof idempotentSend>[1];
type Reply = Parameters<typeof idempotentSend>[2];

/** What the account does to groups and channels (GX1), inside the authentication of a connected session. */
export function administrationRoutes(app: App, deps: Deps): void {
  app.post('/group', { schema: { headers: IdempotencyHeaders, body: NewGroupBody } }, async (request, reply) => {
    const { name, users = [], kind = 'group', description = '' } = request.body;
    const { id, missing } = await make(deps, request, reply, { kind, name: name.trim(), users, description });
    return { groupId: id, missing };
  });
  app.post('/channel', { schema: { headers: IdempotencyHeaders, body: NewChannelBody } }, async (request, reply) => {
    const { name, users = [], description = '' } = request.body;
    const { id, missing } = await make(deps, request, reply, {
      kind: 'channel',
      name: name.trim(),
      users,
      description,
    });
    return { channelId: id, missing };
  });

  const limits = { bodyLimit: mediaBodyLimit, preParsing: deps.bodies.count };
  app.patch('/group/:groupId', { ...limits, schema: { params: paramsOf.group, body: GroupChangeBody } }, (request) =>
    change(deps, request, 'group', request.body),
  );
  app.patch(
    '/channel/:channelId',
    { ...limits, schema: { params: paramsOf.channel, body: ChannelChangeBody } },
    (request) => {
      const { name, description, picture } = request.body;
      return change(deps, request, 'channel', { name, description, picture });
    },
  );

  memberRoutes(app, deps, 'group');
  memberRoutes(app, deps, 'channel');
}

/** Changes the chat of a request, whose body may have the picture. */
function change(
  deps: Deps,
  request: FastifyRequest,
  kind: 'group' | 'channel',
  { name, picture, ...others }: Static<typeof GroupChangeBody>,
): Promise<{ id: string }> {
  const { id } = request.view;
  const media = deps.media.of({ sessionId: id, batch: {} });
  const changes = { ...others, name: filled(name), picture: picture && sourceOf(picture) };
  return deps.bodies.during(request, async () => {
    await changeChat({ ...depsOf(deps, request, kind), media }, chatIn(request.params), changes);
    return { id };
  });
}

function memberRoutes(app: App, deps: Deps, kind: 'group' | 'channel'): void {
  const of = (request: AccountRequest): AdministrationDeps => depsOf(deps, request, kind);
  const one = `/${kind}/:${kind}Id`;
  const schemaOf = { params: paramsOf[kind] };

  app.post(`${one}/member`, { schema: { ...schemaOf, body: UsersBody } }, async (request) => ({
    missing: await addMembers(of(request), chatIn(request.params), request.body.users),
  }));
  app.delete(`${one}/member`, { schema: { ...schemaOf, querystring: UsersBody } }, async (request) => {
    await removeMembers(of(request), chatIn(request.params), request.query.users);
    return { id: request.view.id };
  });
  app.put(
    `${one}/member/:userId`,
    { schema: { params: memberParamsOf[kind], body: RoleBody } },
    async ({ view, caller, params, body }) => {
      await setRole(of({ view, caller }), chatIn(params), params.userId, body.role);
      return { id: view.id };
    },
  );

  app.get(`${one}/invite`, { schema: schemaOf }, async (request) => ({
    docs: await listInvites(of(request), chatIn(request.params)),
  }));
  app.post(`${one}/invite`, { schema: { ...schemaOf, body: InviteBody } }, ({ view, caller, params, body }) => {
    const { name = '', expires = '', limit, approval = false } = body;
    const until = expires === '' ? undefined : timeIn(expires);
    const fields = { name, limit, approval, ...(until !== undefined && { expires: until }) };
    return createInvite(of({ view, caller }), chatIn(params), fields);
  });

  app.post(`/${kind}/join`, { schema: { body: JoinBody } }, async (request) => ({
    [`${kind}Id`]: await joinChat(of(request), request.body.link),
  }));
  app.delete(`${one}/membership`, { schema: schemaOf }, async (request) => {
    await leaveChat(of(request), chatIn(request.params));
    return { id: request.view.id };
  });
}

/** Once for each key. */
function make(
  deps: Deps,
  request: Request,
  reply: Reply,
  chat: WantedChat,
): Promise<{ id: string; missing: string[] }> {
  const { service } = depsOf(deps, request, chat.kind === 'channel' ? 'channel' : 'group');
  return idempotentSend(deps, request, reply, { what: { create: chat }, takesLong: false }, (options) =>
    createChat(service, chat, options.begin ?? drawn(deps), options.begun),
  );
}

/** @throws {GatewayError} 500: it has just disconnected */
const depsOf = (deps: Deps, request: AccountRequest, kind: 'group' | 'channel'): AdministrationDeps => ({
  service: chatServiceOf(request, deps),
  kind,
});

/** The path has one of the two. */
const chatIn = (params: unknown): string => {
  const { groupId, channelId } = params as { groupId?: string; channelId?: string };
  return groupId ?? channelId ?? '';
};
/** Empty counts as missing: no chat is without a name. */
const filled = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** @throws {GatewayError} 400 */
function timeIn(text: string): number {
  const ms = readTime(text);
  if (ms === undefined) throw new GatewayError(400, 'expires must be an ISO 8601 time');
  return ms;
}
