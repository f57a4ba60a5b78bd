import type { ChatCache } from '../../chats/chat-cache.ts';
import type { ChatService } from '../../chats/chat-service.ts';
import { getGroup, listGroups } from '../../chats/groups.ts';
import { listMembers } from '../../chats/members.ts';
import { sessionNotConnected } from '../../errors/gateway-error.ts';
import type { App, AppDeps } from '../shared/app-types.ts';
import { GroupParams, GroupQuery } from './schemas.ts';

/** The joined groups and their members, inside the authentication of a connected session. */
export function groupRoutes(app: App, parts: AppDeps, cache: ChatCache): void {
  app.get('/group', async ({ view }) => ({ docs: await listGroups(directoryOf(view.id, parts, cache)) }));

  app.get('/group/member', { schema: { querystring: GroupQuery } }, async ({ view, query }) => ({
    docs: await listMembers(directoryOf(view.id, parts, cache), query.groupId),
  }));

  app.get('/group/:groupId', { schema: { params: GroupParams } }, ({ view, params }) =>
    getGroup(directoryOf(view.id, parts, cache), params.groupId),
  );
}

/** @throws {RequestError} 500 the account has just gone */
export function directoryOf(sessionId: string, { accounts, clock }: AppDeps, cache: ChatCache): ChatService {
  const account = accounts.get(sessionId);
  if (account === undefined) throw sessionNotConnected();
  return { account, cache, clock };
}
