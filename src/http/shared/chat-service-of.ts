import type { ChatService } from '../../chats/chat-service.ts';
import type { AppDeps } from './app-types.ts';
import { connectedAccount } from './connected-account.ts';

export type ChatServiceDeps = Pick<AppDeps, 'accounts' | 'chatCache' | 'clock'>;

/** The groups and channels of a session's account. @throws {GatewayError} 500: it has just disconnected */
export const chatServiceOf = (sessionId: string, { accounts, chatCache, clock }: ChatServiceDeps): ChatService => ({
  account: connectedAccount(accounts, sessionId),
  cache: chatCache,
  clock,
});
