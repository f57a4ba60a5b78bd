import { RpcError, type TlObject } from '../../../rpc.ts';
import { sandboxApiHash, sandboxApiId } from '../../../world/logins/api-credentials.ts';

/** @throws {RpcError} 400 API_ID_INVALID */
export function requireApiCredentials(params: TlObject): void {
  if (params['api_id'] !== sandboxApiId || params['api_hash'] !== sandboxApiHash) {
    throw new RpcError(400, 'API_ID_INVALID');
  }
}
