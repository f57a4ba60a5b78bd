import { mtprotoSchema } from '../tl/layers.ts';
import { TlReader } from '../tl/reader.ts';
import { answerCall } from './answer-call.ts';
import { containerId, gzipPackedId, type MtprotoMessage, readContainer, unpack } from './container.ts';
import { messageIdError } from './message-id.ts';
import type { Session, SessionConnection } from './server-auth-key.ts';
import type { ServerContext } from './server-context.ts';
import { answerServiceMessage } from './service-messages.ts';

/** https://core.telegram.org/mtproto/service_messages_about_messages#notice-of-ignored-error-message */
const badMessage = { seqnoNotEven: 34, seqnoNotOdd: 35, container: 64 } as const;

/** Handles one message: checks it, unpacks containers, answers calls and service messages. Throws TlError. */
export function receiveMessage(
  context: ServerContext,
  connection: SessionConnection,
  session: Session,
  message: MtprotoMessage,
  inContainer = false,
): void {
  const { received } = session;
  if (received.stateOf(message.id) !== undefined) {
    repeatAnswer(session, message);
    return;
  }
  const errorCode = messageIdError(message.id, context.now()) ?? received.seqnoError(message.id, message.seqno);
  if (errorCode !== undefined) {
    refuse(session, message, errorCode);
    return;
  }
  received.add(message.id, message.seqno);
  const reader = new TlReader(message.body);
  const constructorId = reader.uint();
  if (constructorId === containerId) {
    if (inContainer) refuse(session, message, badMessage.container);
    else if (message.seqno & 1) refuse(session, message, badMessage.seqnoNotEven);
    else for (const each of readContainer(reader)) receiveMessage(context, connection, session, each, true);
    return;
  }
  const body = constructorId === gzipPackedId ? unpack(reader.bytes()) : message.body;
  if (mtprotoSchema.definition(body.readUInt32LE(0))) {
    answerServiceMessage(context, connection, session, message, mtprotoSchema.readObject(new TlReader(body)));
  } else if (message.seqno & 1) {
    session.outgoing.acknowledge(message.id);
    void answerCall(context, session, message.id, body);
  } else {
    refuse(session, message, badMessage.seqnoNotOdd);
  }
}

/** A repeated call does not run again: the client gets the answer of the first run. */
function repeatAnswer({ received, outgoing }: Session, { id, seqno }: MtprotoMessage): void {
  if (received.stateOf(id) === 'running' || outgoing.repeatAnswer(id)) return;
  if (seqno & 1) outgoing.acknowledge(id);
}

function refuse({ outgoing }: Session, { id, seqno }: MtprotoMessage, errorCode: number): void {
  outgoing.notify(
    mtprotoSchema.write({ _: 'bad_msg_notification', bad_msg_id: id, bad_msg_seqno: seqno, error_code: errorCode }),
  );
}
