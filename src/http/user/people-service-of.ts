import type { LinkTo } from '../../chats/message-content.ts';
import type { PeopleDeps } from '../../people/people.ts';
import type { AppDeps } from '../shared/app-types.ts';
import { type AccountRequest, connectedAccount } from '../shared/connected-account.ts';

export type PeopleServiceDeps = Pick<AppDeps, 'accounts' | 'clock' | 'mediaLinks'>;

/** The people that the account of a request's session knows. @throws {GatewayError} 500: it has just disconnected */
export function peopleServiceOf(
  request: AccountRequest,
  { accounts, clock, mediaLinks }: PeopleServiceDeps,
): PeopleDeps {
  const account = connectedAccount(accounts, request);
  const linkTo: LinkTo = (ref, ext) => mediaLinks.link(request.view.id, account.id, ref, ext);
  return { account, clock, linkTo };
}
