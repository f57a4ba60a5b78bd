import type { ChatService } from '../../chats/chat-service.ts';
import type { AppDeps } from './app-types.ts';
import { type AccountRequest, connectedAccount } from './connected-account.ts';

export type ChatServiceDeps = Pick<AppDeps, 'accounts' | 'chatCache' | 'clock'>;

/** The chats of the account of a request's session. @throws {GatewayError} 500: it has just disconnected */
export const chatServiceOf = (
  request: AccountRequest,
  { accounts, chatCache, clock }: ChatServiceDeps,
): ChatService => ({
  account: connectedAccount(accounts, request),
  cache: chatCache,
  clock,
});
