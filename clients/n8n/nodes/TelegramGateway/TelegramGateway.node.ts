import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { chatFields } from './chat-fields.ts';
import { callGateway } from './gateway-call.ts';
import { messageFields } from './message-fields.ts';
import {
  chatsRequest,
  historyRequest,
  type ItemFile,
  isFileType,
  type ListRequest,
  markReadRequest,
  type Parameters,
  reactRequest,
  readPages,
  searchRequest,
  sendRequest,
} from './requests.ts';

/** Uses a Telegram account through the gateway. */
export class TelegramGateway implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Telegram Gateway',
    name: 'telegramGateway',
    icon: { light: 'file:telegramGateway.svg', dark: 'file:telegramGateway.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Send, read and react as a logged-in Telegram account',
    defaults: { name: 'Telegram Gateway' },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    usableAsTool: true,
    credentials: [{ name: 'telegramGatewayApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Chat', value: 'chat' },
          { name: 'Message', value: 'message' },
          { name: 'Session', value: 'session' },
        ],
        default: 'message',
      },
      ...messageFields,
      ...chatFields,
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        displayOptions: { show: { resource: ['session'] } },
        options: [
          {
            name: 'Get Status',
            value: 'getStatus',
            action: 'Get the status of the session',
            description: 'Whether the account is connected, and whose it is',
          },
        ],
        default: 'getStatus',
      },
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const results: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item += 1) {
      try {
        const found = await runOperation(this, item);
        results.push(...found.map((json) => ({ json, pairedItem: { item } })));
      } catch (error) {
        // Those of the gateway and of n8n say already what is wrong.
        if (!this.continueOnFail()) throw new NodeOperationError(this.getNode(), error as Error, { itemIndex: item });
        results.push({ json: { error: (error as Error).message }, pairedItem: { item } });
      }
    }
    return [results];
  }
}

async function runOperation(context: IExecuteFunctions, item: number): Promise<IDataObject[]> {
  const parameters = parametersOf(context, item);
  const operation = parameters.text('operation');
  switch (`${parameters.text('resource')}.${operation}`) {
    case 'message.send': {
      const file = await fileOf(context, item, parameters);
      return [await callGateway(context, sendRequest(parameters, file, keyOf(context, item)), item)];
    }
    case 'message.react':
      return [await callGateway(context, reactRequest(parameters), item)];
    case 'message.getMany':
      return listOf(context, item, historyRequest(parameters));
    case 'message.search':
      return listOf(context, item, searchRequest(parameters));
    case 'chat.getMany':
      return listOf(context, item, chatsRequest(parameters));
    case 'chat.markRead':
      return [await callGateway(context, markReadRequest(parameters), item)];
    case 'session.getStatus': {
      const session = await callGateway(context, { method: 'GET', path: '/session' }, item);
      const { id, isConnected, generatedId, name, username, isPasswordRequired, isCodeRequired } = session;
      return [{ id, isConnected, generatedId, name, username, isPasswordRequired, isCodeRequired }];
    }
    default:
      throw new NodeOperationError(context.getNode(), `The operation "${operation}" is not known`, { itemIndex: item });
  }
}

function parametersOf(context: IExecuteFunctions, item: number): Parameters {
  return {
    text: (name) => String(context.getNodeParameter(name, item, '')),
    number: (name) => Number(context.getNodeParameter(name, item, 0)),
    flag: (name) => context.getNodeParameter(name, item, false) === true,
    options: (name) => {
      const given = context.getNodeParameter(name, item, {}) as IDataObject;
      return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== undefined));
    },
  };
}

/** A run that n8n repeats ("Retry On Fail") has the same key, another turn of a loop another one. */
function keyOf(context: IExecuteFunctions, item: number): string {
  const turn = String(context.evaluateExpression('{{ $runIndex }}', item));
  return `n8n-${context.getExecutionId()}-${context.getNode().id}-${turn}-${item}`;
}

/** The file of the item, if the message takes its bytes from there. */
async function fileOf(context: IExecuteFunctions, item: number, parameters: Parameters): Promise<ItemFile | undefined> {
  if (!isFileType(parameters.text('messageType')) || !parameters.flag('binaryData')) return undefined;
  const field = parameters.text('binaryPropertyName');
  const { fileName = 'file', mimeType } = context.helpers.assertBinaryData(item, field);
  const bytes = await context.helpers.getBinaryDataBuffer(item, field);
  return { data: bytes.toString('base64'), size: bytes.length, name: fileName, mimetype: mimeType };
}

function listOf(context: IExecuteFunctions, item: number, list: ListRequest): Promise<IDataObject[]> {
  const isAll = context.getNodeParameter('returnAll', item, false) === true;
  const limit = isAll ? undefined : Number(context.getNodeParameter('limit', item, 50));
  return readPages<IDataObject>(list, limit, (request) => callGateway(context, request, item));
}
