import { noAnswer, RpcError } from '../rpc.ts';
import { mtprotoSchema } from '../tl/layers.ts';
import { TlError } from '../tl/tl-error.ts';
import { identityOf, isTemporary } from './auth-key-registry.ts';
import { bindTemporaryKey } from './bind-temporary-key.ts';
import { writeResult } from './container.ts';
import type { ServerContext } from './server-context.ts';
import type { Session } from './session.ts';
import { bindMethod, type Peeled, peel } from './unwrap-call.ts';

/** They never subscribe to updates (https://core.telegram.org/method/invokeWithoutUpdates). */
const fileMethods = 'upload.';

/** Carries out a call and answers it. Never rejects: whatever goes wrong is the answer to this call alone. */
export async function answerCall(context: ServerContext, session: Session, id: bigint, body: Buffer): Promise<void> {
  const { inbox, outbox } = session;
  inbox.started(id);
  context.counts.calls++;
  let result: Buffer | undefined;
  let success = false;
  try {
    result = await carryOut(context, session, id, body);
    success = true;
  } catch (error) {
    const { code, text } = shown(error, context);
    result = mtprotoSchema.write({ _: 'rpc_error', error_code: code, error_message: text });
  }
  if (result && !inbox.unwanted.delete(id)) outbox.answer(id, writeResult(id, result, success));
  inbox.finished(id, success);
}

/** Undefined is an answer that is lost on its way. */
async function carryOut(
  context: ServerContext,
  session: Session,
  id: bigint,
  body: Buffer,
): Promise<Buffer | undefined> {
  const peeled = peel(body, identityOf(session.key).layer);
  remember(context, session, peeled);
  for (const earlier of peeled.after) {
    if (!(await session.inbox.outcome(earlier))) throw new RpcError(400, 'MSG_WAIT_FAILED');
  }
  const { query, schema } = peeled;
  if (query._ === bindMethod) {
    bindTemporaryKey(context, session, id, query);
    return schema.writeResult(query._, true);
  }
  if (isTemporary(session.key) && !session.key.boundTo) throw new RpcError(401, 'AUTH_KEY_PERM_EMPTY');
  const key = identityOf(session.key);
  const { layer, dc } = key;
  const result = await context.service.call({ method: query._, params: query, key, dc, layer, sessionId: session.id });
  if (result === noAnswer) return undefined;
  try {
    return schema.writeResult(query._, result);
  } catch (error) {
    throw new Error(`The answer to ${query._} cannot be written in layer ${layer}`, { cause: error });
  }
}

/** Layer and device belong to the key, so that a client need not say them again when it comes back. */
function remember(context: ServerContext, session: Session, { layer, device, withoutUpdates, query }: Peeled): void {
  if (!withoutUpdates && !query._.startsWith(fileMethods)) session.takesUpdates = true;
  const key = identityOf(session.key);
  const sameLayer = layer === undefined || layer === key.layer;
  const sameDevice = device === undefined || JSON.stringify(device) === JSON.stringify(key.device);
  if (sameLayer && sameDevice) return;
  if (layer !== undefined) key.layer = layer;
  if (device !== undefined) key.device = device;
  context.keys.changed(key);
}

function shown(error: unknown, context: ServerContext): { code: number; text: string } {
  if (error instanceof RpcError) return error;
  // The client's own bytes: what a handler returns has been told apart above.
  if (error instanceof TlError) return { code: 400, text: 'INPUT_FETCH_ERROR' };
  context.service.failed?.('call', error);
  return { code: 500, text: 'INTERNAL' };
}
