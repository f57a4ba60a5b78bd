import { randomBytes } from 'node:crypto';
import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { callGateway } from './gateway-call.ts';
import { isSigned, type SignedHeaders } from './signature.ts';
import { eventOptions } from './trigger-events.ts';
import { type GatewayWebhook, isAsWished, type WebhookWish, wishOf } from './webhook-wish.ts';

/** Starts workflows on what happens in a Telegram account: sets a webhook at the gateway, and verifies what comes. */
export class TelegramGatewayTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Telegram Gateway Trigger',
    name: 'telegramGatewayTrigger',
    icon: { light: 'file:telegramGateway.svg', dark: 'file:telegramGateway.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow on messages and other events of a Telegram account',
    defaults: { name: 'Telegram Gateway Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'telegramGatewayApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        options: eventOptions,
        default: ['message'],
        required: true,
      },
      {
        displayName: 'Chats',
        name: 'chats',
        type: 'options',
        options: [
          { name: 'All', value: 'all' },
          { name: 'Channels', value: 'channels' },
          { name: 'Groups', value: 'groups' },
          { name: 'Private', value: 'private' },
          { name: 'Some, by ID', value: 'list' },
        ],
        default: 'private',
      },
      {
        displayName: 'Chat IDs',
        name: 'chatIds',
        type: 'string',
        displayOptions: { show: { chats: ['list'] } },
        default: '',
        placeholder: '1002, -1003001',
        description: 'Up to 100, separated by commas',
        required: true,
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const wish = webhookWish(this);
        const { docs } = await callGateway(this, { method: 'GET', path: '/session/webhooks' });
        const found = (docs as unknown as GatewayWebhook[]).find(({ url }) => url === wish.url);
        if (found === undefined) return false;
        remember(this, found);
        if (isAsWished(found, wish)) return true;
        await removeWebhook(this);
        return false;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const token = randomBytes(32).toString('base64url');
        const body = { ...webhookWish(this), token };
        const created = await callGateway(this, { method: 'POST', path: '/session/webhooks', body });
        remember(this, { id: String(created.id), token });
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        await removeWebhook(this);
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject() as { rawBody?: Buffer };
    const { token } = this.getWorkflowStaticData('node') as { token?: string };
    const isOurs =
      rawBody !== undefined &&
      token !== undefined &&
      isSigned(this.getHeaderData() as SignedHeaders, rawBody, token, Date.now());
    if (!isOurs) {
      this.getResponseObject().status(401).json({ message: 'the signature is missing or wrong' });
      return { noWebhookResponse: true };
    }
    return { workflowData: [this.helpers.returnJsonArray(this.getBodyData())] };
  }
}

function webhookWish(context: IHookFunctions): WebhookWish {
  const url = context.getNodeWebhookUrl('default');
  if (url === undefined) throw new NodeOperationError(context.getNode(), 'n8n gives this node no webhook URL');
  const events = context.getNodeParameter('events') as string[];
  const chats = String(context.getNodeParameter('chats'));
  return wishOf(url, events, chats, String(context.getNodeParameter('chatIds', '')));
}

/** n8n keeps it with the workflow: the webhook is verified and removed with it. */
function remember(context: IHookFunctions, { id, token }: Pick<GatewayWebhook, 'id' | 'token'>): void {
  Object.assign(context.getWorkflowStaticData('node'), { webhookId: id, token } satisfies IDataObject);
}

/** One that is gone already is no error. */
async function removeWebhook(context: IHookFunctions): Promise<void> {
  const data = context.getWorkflowStaticData('node');
  if (data.webhookId !== undefined) {
    try {
      await callGateway(context, { method: 'DELETE', path: `/session/webhooks/${String(data.webhookId)}` });
    } catch (error) {
      const isGone = error instanceof NodeApiError && ['400', '404'].includes(error.httpCode ?? '');
      if (!isGone) throw new NodeOperationError(context.getNode(), error as Error);
    }
  }
  delete data.webhookId;
  delete data.token;
}
