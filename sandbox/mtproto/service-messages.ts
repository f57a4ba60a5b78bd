import type { TlObject } from '../rpc.ts';
import { mtprotoSchema } from '../tl/layers.ts';
import { type MtprotoMessage, writeResult } from './container.ts';
import { futureSalts } from './keys/server-salts.ts';
import type { MessageState, ReceivedMessages } from './received-messages.ts';
import type { Session, SessionConnection } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';

const MAX_DISCONNECT_DELAY_S = 24 * 3600;

/** Answers MTProto's own service messages: https://core.telegram.org/mtproto/service_messages */
export function answerServiceMessage(
  context: ServerContext,
  connection: SessionConnection,
  session: Session,
  { id }: MtprotoMessage,
  query: TlObject,
): void {
  const { outgoing, key } = session;
  const notify = (answer: TlObject): void => outgoing.notify(mtprotoSchema.write(answer));
  const answer = (result: TlObject): void => outgoing.answer(id, writeResult(id, mtprotoSchema.write(result), false));
  switch (query._) {
    case 'msgs_ack':
      outgoing.acknowledged(query.msg_ids as bigint[]);
      return;
    case 'ping_delay_disconnect':
      connection.disconnectAfter(Math.min(query.disconnect_delay as number, MAX_DISCONNECT_DELAY_S));
      sendPong(context, session, { _: 'pong', msg_id: id, ping_id: query.ping_id });
      return;
    case 'ping':
      sendPong(context, session, { _: 'pong', msg_id: id, ping_id: query.ping_id });
      return;
    case 'get_future_salts':
      notify({ _: 'future_salts', req_msg_id: id, ...tlFutureSalts(context, session, query.num as number) });
      return;
    case 'msgs_state_req': {
      const info = Buffer.from((query.msg_ids as bigint[]).map((each) => stateByte(session.received, each)));
      notify({ _: 'msgs_state_info', req_msg_id: id, info });
      return;
    }
    case 'msg_resend_req':
      outgoing.repeat(query.msg_ids as bigint[]);
      return;
    case 'rpc_drop_answer':
      answer(dropAnswer(session, query.req_msg_id as bigint));
      return;
    case 'destroy_session': {
      const destroyed = query.session_id !== session.id && key.sessions.delete(query.session_id as bigint);
      notify({ _: destroyed ? 'destroy_session_ok' : 'destroy_session_none', session_id: query.session_id });
      return;
    }
    case 'destroy_auth_key':
      answer({ _: 'destroy_auth_key_ok' });
      context.keys.forget(key);
      return;
    default:
      // These need no answer: msgs_state_info, msgs_all_info, http_wait.
      return;
  }
}

/** Clients compare the times with the clock of the protocol, which the world's may be ahead of. */
function tlFutureSalts(context: ServerContext, { key }: Session, count: number): { now: number; salts: TlObject[] } {
  const now = context.now();
  const aheadMs = context.worldNow() - now;
  const seconds = (worldMs: number): number => Math.floor((worldMs - aheadMs) / 1000);
  const salts = futureSalts(key, count, context.worldNow()).map(({ since, until, salt }) => ({
    _: 'future_salt',
    valid_since: seconds(since),
    valid_until: seconds(until),
    salt,
  }));
  return { now: Math.floor(now / 1000), salts };
}

function sendPong(context: ServerContext, { key, outgoing }: Session, answer: TlObject): void {
  const send = (): void => outgoing.notify(mtprotoSchema.write(answer));
  const delayMs = context.faults.pongDelayMs(key);
  if (delayMs > 0) setTimeout(send, delayMs).unref();
  else send();
}

/** Received (4), the call is running or done (32), an answer was made (64). */
const stateBytes: Record<MessageState, number> = {
  received: 4,
  running: 4 + 32,
  done: 4 + 32 + 64,
  failed: 4 + 32 + 64,
};

/** https://core.telegram.org/mtproto/service_messages_about_messages#informational-message-regarding-status-of-messages */
function stateByte(received: ReceivedMessages, id: bigint): number {
  const state = received.stateOf(id);
  if (state) return stateBytes[state];
  return received.isNewerThanAll(id) ? 3 : 2;
}

function dropAnswer({ received, outgoing }: Session, answerTo: bigint): TlObject {
  if (received.stateOf(answerTo) === 'running') {
    received.dropped.add(answerTo);
    return { _: 'rpc_answer_dropped_running' };
  }
  const dropped = outgoing.dropAnswer(answerTo);
  if (!dropped) return { _: 'rpc_answer_unknown' };
  return { _: 'rpc_answer_dropped', msg_id: dropped.id, seq_no: dropped.seqno, bytes: dropped.body.length };
}
