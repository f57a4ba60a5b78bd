import type { LinkTo } from '../../chats/message-content.ts';
import type { PeopleDeps } from '../../people/people.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { connectedAccount } from '../shared/connected-account.ts';

export type PeopleServiceDeps = Pick<AppDeps, 'accounts' | 'clock' | 'mediaLinks'>;

/** The people that a session's account knows. @throws {GatewayError} 500: it has just disconnected */
export function peopleServiceOf(sessionId: string, { accounts, clock, mediaLinks }: PeopleServiceDeps): PeopleDeps {
  const account = connectedAccount(accounts, sessionId);
  const linkTo: LinkTo = (ref, ext) => mediaLinks.link(sessionId, account.id, ref, ext);
  return { account, clock, linkTo };
}
