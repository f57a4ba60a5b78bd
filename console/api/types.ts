/** The types of the public API's responses: those of the gateway's own schemas. */
export type { ArmedDeadline, AuditEntry } from '../../src/audit/audit-entry-schema.ts';
export type { PastSession } from '../../src/http/audit/schemas.ts';
export type {
  ChatSchema as ChatDoc,
  ChatsSchema as ChatsPage,
  MessageSchema as MessageDoc,
  MessagesSchema as MessagesPage,
  TopicsSchema as TopicsPage,
} from '../../src/http/chat/schemas.ts';
export type { ConsoleConfig } from '../../src/http/console/schemas.ts';
export type { LinkSchema as LinkDoc, NewLink as MadeLink } from '../../src/http/link/schemas.ts';
export type { PressedButton } from '../../src/http/message/action-schemas.ts';
export type { Nodes } from '../../src/http/nodes/schemas.ts';
export type { SessionConnection, SessionSummary } from '../../src/http/operator/schemas.ts';
export type { SessionStats } from '../../src/http/operator/stats-schemas.ts';
export type { Session } from '../../src/http/session/schemas.ts';
export type { DeliveryList, DeliverySchema as DeliveryDoc } from '../../src/http/webhook/delivery-schemas.ts';
export type { OneWebhook, WebhookStatus } from '../../src/http/webhook/schemas.ts';

/** The languages of markup that `POST /message` takes. */
export type ParseMode = 'markdown' | 'html';

/** The recipient of a message, by one of the fields that `POST /message` takes. */
export interface MessageRecipient {
  kind: 'username' | 'user' | 'phone' | 'group' | 'channel';
  value: string;
}
