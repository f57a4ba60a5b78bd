import { accountOperations } from '../account/operations.ts';
import { administrationOperations } from '../administration/operations.ts';
import { auditOperations } from '../audit/operations.ts';
import { channelOperations } from '../channel/operations.ts';
import { chatOperations } from '../chat/operations.ts';
import { chatSettingOperations } from '../chat/setting-operations.ts';
import { consoleOperations } from '../console/operations.ts';
import { contactOperations } from '../contact/operations.ts';
import { fileOperations } from '../file/operations.ts';
import { groupOperations } from '../group/operations.ts';
import { keyOperations } from '../keys/operations.ts';
import { linkOperations } from '../link/operations.ts';
import { mediaOperations } from '../media/operations.ts';
import { messageActionOperations } from '../message/action-operations.ts';
import { messageOperations } from '../message/operations.ts';
import { scheduledOperations } from '../message/scheduled-operations.ts';
import { nodeOperations } from '../nodes/operations.ts';
import { connectionOperations } from '../operator/connection-operations.ts';
import { controlOperations } from '../operator/control-operations.ts';
import { operatorOperations } from '../operator/operations.ts';
import { statsOperations } from '../operator/stats-operations.ts';
import { operatorWebhookOperations } from '../operator-webhook/operations.ts';
import { readerOperations } from '../reader/operations.ts';
import { sessionOperations } from '../session/operations.ts';
import type { Operation } from '../shared/openapi/operation.ts';
import { statusOperations } from '../status/operations.ts';
import { telegramOperations } from '../telegram/operations.ts';
import { typingOperations } from '../typing/operations.ts';
import { usageOperations } from '../usage/operations.ts';
import { userOperations } from '../user/operations.ts';
import { webhookListOperations } from '../webhook/list-operations.ts';
import { webhookOperations } from '../webhook/operations.ts';

/** Descriptions of the endpoints, by method and route. A test compares them with the routes. */
export const operations: Readonly<Record<string, Operation>> = {
  ...sessionOperations,
  ...webhookOperations,
  ...webhookListOperations,
  ...readerOperations,
  ...messageOperations,
  ...messageActionOperations,
  ...scheduledOperations,
  ...typingOperations,
  ...statusOperations,
  ...chatOperations,
  ...chatSettingOperations,
  ...fileOperations,
  ...groupOperations,
  ...channelOperations,
  ...administrationOperations,
  ...contactOperations,
  ...userOperations,
  ...accountOperations,
  ...telegramOperations,
  ...linkOperations,
  ...operatorWebhookOperations,
  ...mediaOperations,
  ...auditOperations,
  ...operatorOperations,
  ...connectionOperations,
  ...statsOperations,
  ...nodeOperations,
  ...usageOperations,
  ...controlOperations,
  ...keyOperations,
  ...consoleOperations,
};
