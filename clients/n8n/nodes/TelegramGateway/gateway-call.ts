import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type JsonObject,
  NodeApiError,
} from 'n8n-workflow';
import { type GatewayRequest, gatewayMessage } from './requests.ts';

/**
 * Makes a request with the credentials of the node.
 * @throws {NodeApiError} with the gateway's own message
 */
export async function callGateway(
  context: IExecuteFunctions | IHookFunctions,
  { method, path, query, body, idempotencyKey }: GatewayRequest,
  itemIndex?: number,
): Promise<IDataObject> {
  const { url } = await context.getCredentials('telegramGatewayApi');
  try {
    return (await context.helpers.httpRequestWithAuthentication.call(context, 'telegramGatewayApi', {
      method,
      baseURL: String(url).replace(/\/+$/, ''),
      url: path,
      json: true,
      ...(query && { qs: query }),
      ...(body && { body: body as IDataObject }),
      ...(idempotencyKey !== undefined && { headers: { 'idempotency-key': idempotencyKey } }),
    })) as IDataObject;
  } catch (error) {
    const message = gatewayMessage(error);
    throw new NodeApiError(context.getNode(), error as JsonObject, {
      ...(message !== undefined && { message }),
      ...(itemIndex !== undefined && { itemIndex }),
    });
  }
}
