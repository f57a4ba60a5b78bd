import { getGroup, listGroups } from '../../chats/groups.ts';
import { listMembers } from '../../chats/members.ts';
import type { App } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import { GroupParams, GroupQuery } from './schemas.ts';

/** The joined groups and their members, inside the authentication of a connected session. */
export function groupRoutes(app: App, deps: ChatServiceDeps): void {
  app.get('/group', async (request) => ({ docs: await listGroups(chatServiceOf(request, deps)) }));

  app.get('/group/member', { schema: { querystring: GroupQuery } }, async (request) => ({
    docs: await listMembers(chatServiceOf(request, deps), request.query.groupId),
  }));

  app.get('/group/:groupId', { schema: { params: GroupParams } }, (request) =>
    getGroup(chatServiceOf(request, deps), request.params.groupId),
  );
}
