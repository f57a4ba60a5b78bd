import type { INodeProperties } from 'n8n-workflow';
import { listFields, recipientFields } from './message-fields.ts';

/** The fields of the resource Chat. */
export const chatFields: INodeProperties[] = [
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['chat'] } },
    options: [
      {
        name: 'Get Many',
        value: 'getMany',
        action: 'Get many chats',
        description: 'Get the chats of the account, newest first',
      },
      {
        name: 'Mark as Read',
        value: 'markRead',
        action: 'Mark a chat as read',
        description: 'Mark a chat as read, whole or up to a message',
      },
    ],
    default: 'getMany',
  },
  {
    displayName: 'Archived',
    name: 'archived',
    type: 'boolean',
    displayOptions: { show: { resource: ['chat'], operation: ['getMany'] } },
    default: false,
    description: 'Whether to get the chats of the archive instead of those outside of it',
  },
  ...listFields({ resource: ['chat'], operation: ['getMany'] }),
  ...recipientFields({ show: { resource: ['chat'], operation: ['markRead'] } }),
  {
    displayName: 'Up To Message ID',
    name: 'upToMessageId',
    type: 'string',
    displayOptions: { show: { resource: ['chat'], operation: ['markRead'] } },
    default: '',
    description: 'The newest message to mark; the whole chat if empty',
  },
];
