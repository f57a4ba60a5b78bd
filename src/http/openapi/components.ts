import { Type } from 'typebox';
import { AuditEntry } from '../../audit/audit-entry-schema.ts';
import { SendEntry } from '../../audit/send-entry-schema.ts';
import { AccountSchema, DeviceSchema } from '../account/schemas.ts';
import { InviteSchema } from '../administration/schemas.ts';
import { PastSession } from '../audit/schemas.ts';
import { ChannelMessageSchema, ChannelSchema } from '../channel/schemas.ts';
import { ChatSchema, MessageSchema } from '../chat/schemas.ts';
import { GroupMember, GroupSchema } from '../group/schemas.ts';
import { KeySchema } from '../keys/schemas.ts';
import { CustomerView, LinkSchema } from '../link/schemas.ts';
import { SessionSummary } from '../operator/schemas.ts';
import { OperatorWebhookSchema } from '../operator-webhook/schemas.ts';
import { CreatedSession, Session } from '../session/schemas.ts';
import { text } from '../shared/openapi/describe.ts';
import { SessionUsage } from '../usage/schemas.ts';
import { PersonSchema, UserSchema } from '../user/schemas.ts';

const ErrorBody = Type.Object(
  { statusCode: Type.Integer(), message: text('Several validation messages are joined by a line feed.') },
  { additionalProperties: false },
);

/** The shared schemas of the API document, which `component()` refers to by these names. */
export const components = {
  Error: ErrorBody,
  Session,
  CreatedSession,
  SessionSummary,
  Key: KeySchema,
  OperatorWebhook: OperatorWebhookSchema,
  SessionUsage,
  Link: LinkSchema,
  CustomerView,
  AuditEntry,
  SendEntry,
  PastSession,
  Account: AccountSchema,
  Device: DeviceSchema,
  User: UserSchema,
  Person: PersonSchema,
  Chat: ChatSchema,
  Message: MessageSchema,
  Invite: InviteSchema,
  Group: GroupSchema,
  GroupMember,
  Channel: ChannelSchema,
  ChannelMessage: ChannelMessageSchema,
};
