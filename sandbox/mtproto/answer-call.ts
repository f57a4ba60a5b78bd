import { noAnswer, RpcError } from '../rpc.ts';
import { mtprotoSchema, UnknownLayer } from '../tl/layers.ts';
import { TlError } from '../tl/tl-error.ts';
import { writeResult } from './container.ts';
import { bindTemporaryKey } from './keys/bind-temporary-key.ts';
import { isTemporary, permanentKeyOf, type Session } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';
import { bindMethod, type UnwrappedCall, unwrapCall } from './unwrap-call.ts';

/** Sessions that call only these never subscribe to updates (https://core.telegram.org/method/invokeWithoutUpdates). */
const fileMethodPrefix = 'upload.';

/** Runs a call and queues its answer. Never rejects: every error becomes the answer to this call. */
export async function answerCall(context: ServerContext, session: Session, id: bigint, body: Buffer): Promise<void> {
  const { received, outgoing } = session;
  received.started(id);
  context.counts.calls++;
  let result: Buffer | undefined;
  let success = false;
  try {
    result = await runCall(context, session, id, body);
    success = true;
  } catch (error) {
    const { code, text } = rpcErrorOf(error, context);
    result = mtprotoSchema.write({ _: 'rpc_error', error_code: code, error_message: text });
  }
  if (result && !received.dropped.delete(id)) outgoing.answer(id, writeResult(id, result, success));
  received.finished(id, success);
}

/** The result as bytes; undefined if the handler wants the answer to be lost. */
async function runCall(
  context: ServerContext,
  session: Session,
  id: bigint,
  body: Buffer,
): Promise<Buffer | undefined> {
  const unwrapped = unwrapCall(body, permanentKeyOf(session.key).layer);
  rememberClient(context, session, unwrapped);
  for (const earlier of unwrapped.after) {
    if (!(await session.received.outcome(earlier))) throw new RpcError(400, 'MSG_WAIT_FAILED');
  }
  const { query, schema } = unwrapped;
  if (query._ === bindMethod) {
    bindTemporaryKey(context, session, id, query);
    return schema.writeResult(query._, true);
  }
  if (isTemporary(session.key) && !session.key.boundTo) throw new RpcError(401, 'AUTH_KEY_PERM_EMPTY');
  const key = permanentKeyOf(session.key);
  const { layer, dc } = key;
  const result = await context.service.call({ method: query._, params: query, key, dc, layer, sessionId: session.id });
  if (result === noAnswer) return undefined;
  try {
    return schema.writeResult(query._, result);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`The answer to ${query._} cannot be written in layer ${layer}: ${reason}`, { cause: error });
  }
}

/** Layer and device belong to the key: a client sends them once, not on every connection. */
function rememberClient(
  context: ServerContext,
  session: Session,
  { layer, device, withoutUpdates, query }: UnwrappedCall,
): void {
  if (!withoutUpdates && !query._.startsWith(fileMethodPrefix)) session.takesUpdates = true;
  const key = permanentKeyOf(session.key);
  const sameLayer = layer === undefined || layer === key.layer;
  const sameDevice = device === undefined || JSON.stringify(device) === JSON.stringify(key.device);
  if (sameLayer && sameDevice) return;
  if (layer !== undefined) key.layer = layer;
  if (device !== undefined) key.device = device;
  context.keys.changed(key);
}

function rpcErrorOf(error: unknown, context: ServerContext): { code: number; text: string } {
  if (error instanceof RpcError) return error;
  // From reading the client's bytes: a TlError from writing an answer was wrapped above.
  if (error instanceof TlError) return { code: 400, text: 'INPUT_FETCH_ERROR' };
  context.service.onDefect?.('call', error);
  if (error instanceof UnknownLayer) return { code: 400, text: 'CONNECTION_LAYER_INVALID' };
  return { code: 500, text: 'INTERNAL' };
}
