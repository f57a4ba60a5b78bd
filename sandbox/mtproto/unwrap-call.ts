import { type AuthKey, RpcError, type TlObject } from '../rpc.ts';
import { schemaOfLayer } from '../tl/layers.ts';
import { Reader } from '../tl/reader.ts';
import type { Schema } from '../tl/schema.ts';
import { gzipPackedId, unpack } from './container.ts';

/** The one call that comes before a layer is agreed upon: it belongs to the key, not to the API. */
export const bindMethod = 'auth.bindTempAuthKey';

/** A call with everything peeled off that clients wrap around it. */
export interface Peeled {
  query: TlObject;
  schema: Schema;
  /** Of `invokeWithLayer`, where it was there. */
  layer: number | undefined;
  device: AuthKey['device'];
  /** The calls that have to have succeeded before: `invokeAfterMsg`, `invokeAfterMsgs`. */
  after: bigint[];
  withoutUpdates: boolean;
}

/**
 * Reads a call. A wrapper is any method whose last parameter is a query of whatever type; those that say nothing of
 * the call itself (takeouts, integrity checks, ranges of messages, …) are read over. The layer holds from where it is
 * named, so that the query is read by its schema. Throws TlError, and RpcError where no layer is known at all.
 */
export function peel(body: Buffer, layerBefore: number): Peeled {
  const peeled = { layer: undefined, device: undefined, after: [], withoutUpdates: false } as Omit<
    Peeled,
    'query' | 'schema'
  >;
  let reader = new Reader(body);
  for (;;) {
    const layer = peeled.layer ?? layerBefore;
    const schema = schemaOfLayer(layer);
    const start = reader.position;
    const id = reader.uint();
    if (id === gzipPackedId) {
      reader = new Reader(unpack(reader.bytes()));
      continue;
    }
    const definition = schema.definition(id);
    const last = definition?.fields.at(-1)?.type;
    if (definition?.kind !== 'method' || last?.kind !== 'boxed' || last.of !== undefined) {
      if (layer === 0 && definition?.name !== bindMethod) throw new RpcError(400, 'CONNECTION_NOT_INITED');
      if (definition?.kind !== 'method') throw new RpcError(400, 'INPUT_METHOD_INVALID');
      reader.position = start;
      return { ...peeled, query: schema.readObject(reader), schema };
    }
    note(schema.readWrapper(reader, definition), peeled);
  }
}

function note(wrapper: TlObject, peeled: Omit<Peeled, 'query' | 'schema'>): void {
  switch (wrapper._) {
    case 'invokeWithLayer':
      if (!(wrapper.layer > 0)) throw new RpcError(400, 'CONNECTION_LAYER_INVALID');
      peeled.layer = wrapper.layer as number;
      break;
    case 'initConnection':
      peeled.device = {
        apiId: wrapper.api_id as number,
        model: wrapper.device_model as string,
        systemVersion: wrapper.system_version as string,
        appVersion: wrapper.app_version as string,
        langCode: wrapper.lang_code as string,
      };
      break;
    case 'invokeAfterMsg':
      peeled.after.push(wrapper.msg_id as bigint);
      break;
    case 'invokeAfterMsgs':
      peeled.after.push(...(wrapper.msg_ids as bigint[]));
      break;
    case 'invokeWithoutUpdates':
      peeled.withoutUpdates = true;
      break;
  }
}
