import { getGroup, listGroups } from '../../chats/groups.ts';
import { listMembers } from '../../chats/members.ts';
import type { App } from '../shared/app-types.ts';
import { type ChatServiceDeps, chatServiceOf } from '../shared/chat-service-of.ts';
import { GroupParams, GroupQuery } from './schemas.ts';

/** The joined groups and their members, inside the authentication of a connected session. */
export function groupRoutes(app: App, deps: ChatServiceDeps): void {
  app.get('/group', async ({ view }) => ({ docs: await listGroups(chatServiceOf(view.id, deps)) }));

  app.get('/group/member', { schema: { querystring: GroupQuery } }, async ({ view, query }) => ({
    docs: await listMembers(chatServiceOf(view.id, deps), query.groupId),
  }));

  app.get('/group/:groupId', { schema: { params: GroupParams } }, ({ view, params }) =>
    getGroup(chatServiceOf(view.id, deps), params.groupId),
  );
}
