import { type AuthKey, RpcError, type TlObject } from '../rpc.ts';
import { hasSchema, requireSchema, schemaOfLayer } from '../tl/layers.ts';
import { TlReader } from '../tl/reader.ts';
import type { Schema } from '../tl/schema.ts';
import { gzipPackedId, unpack } from './container.ts';

/** The only call that may come before the client has named a layer: it concerns the key, not the API. */
export const bindMethod = 'auth.bindTempAuthKey';

/** What the wrappers around a call say. */
interface Wrappers {
  /** Of `invokeWithLayer`, if the client sent it. */
  layer: number | undefined;
  device: AuthKey['device'];
  /** Message IDs of the calls that have to succeed first: `invokeAfterMsg`, `invokeAfterMsgs`. */
  after: bigint[];
  withoutUpdates: boolean;
}

/** A call without the wrappers that clients put around it. */
export interface UnwrappedCall extends Wrappers {
  query: TlObject;
  schema: Schema;
}

/**
 * Reads a call. A wrapper is a method whose last parameter is a query of any type. Wrappers that do not concern the
 * call itself (takeouts, integrity checks, ranges of messages, …) are skipped. A layer applies to everything inside
 * its wrapper. Throws TlError; UnknownLayer; RpcError if the client has never named a layer, or bytes follow the
 * call.
 */
export function unwrapCall(body: Buffer, layerBefore: number): UnwrappedCall {
  const wrappers: Wrappers = { layer: undefined, device: undefined, after: [], withoutUpdates: false };
  let reader = new TlReader(body);
  for (;;) {
    const layer = wrappers.layer ?? (hasSchema(layerBefore) ? layerBefore : 0);
    const schema = schemaOfLayer(layer);
    const start = reader.position;
    const id = reader.uint();
    if (id === gzipPackedId) {
      reader = new TlReader(unpack(reader.bytes()));
      continue;
    }
    const definition = schema.definition(id);
    const last = definition?.fields.at(-1)?.type;
    if (definition?.kind !== 'method' || last?.kind !== 'boxed' || last.abstractType !== undefined) {
      if (layer === 0 && definition?.name !== bindMethod) throw new RpcError(400, 'CONNECTION_NOT_INITED');
      if (definition?.kind !== 'method') throw new RpcError(400, 'INPUT_METHOD_INVALID');
      reader.position = start;
      const query = schema.readObject(reader);
      if (reader.left > 0) throw new RpcError(400, 'INPUT_REQUEST_TOO_LONG');
      return { ...wrappers, query, schema };
    }
    readWrapper(schema.readWrapper(reader, definition), wrappers);
  }
}

function readWrapper(wrapper: TlObject, wrappers: Wrappers): void {
  switch (wrapper._) {
    case 'invokeWithLayer':
      requireSchema(wrapper.layer as number);
      wrappers.layer = wrapper.layer as number;
      break;
    case 'initConnection':
      wrappers.device = {
        apiId: wrapper.api_id as number,
        model: wrapper.device_model as string,
        systemVersion: wrapper.system_version as string,
        appVersion: wrapper.app_version as string,
        langCode: wrapper.lang_code as string,
      };
      break;
    case 'invokeAfterMsg':
      wrappers.after.push(wrapper.msg_id as bigint);
      break;
    case 'invokeAfterMsgs':
      wrappers.after.push(...(wrapper.msg_ids as bigint[]));
      break;
    case 'invokeWithoutUpdates':
      wrappers.withoutUpdates = true;
      break;
  }
}
