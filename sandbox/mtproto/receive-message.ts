import { mtprotoSchema } from '../tl/layers.ts';
import { Reader } from '../tl/reader.ts';
import { answerCall } from './answer-call.ts';
import type { Connection } from './connection.ts';
import { containerId, gzipPackedId, type Message, readContainer, unpack } from './container.ts';
import { faultOfMessageId } from './message-id.ts';
import type { ServerContext } from './server-context.ts';
import { answerService } from './service-messages.ts';
import type { Session } from './session.ts';

/** https://core.telegram.org/mtproto/service_messages_about_messages#notice-of-ignored-error-message */
const badMessage = { seqnoNotEven: 34, seqnoNotOdd: 35, container: 64 } as const;

/** Takes a message of a client: checks it, opens containers, answers what it asks. Throws TlError where it is no TL. */
export function receiveMessage(
  context: ServerContext,
  connection: Connection,
  session: Session,
  message: Message,
  inContainer = false,
): void {
  const { inbox } = session;
  if (inbox.stateOf(message.id) !== undefined) {
    receiveAgain(session, message);
    return;
  }
  const fault = faultOfMessageId(message.id, context.now()) ?? inbox.faultOfSeqno(message.id, message.seqno);
  if (fault !== undefined) {
    refuse(session, message, fault);
    return;
  }
  inbox.receive(message.id, message.seqno);
  const reader = new Reader(message.body);
  const id = reader.uint();
  if (id === containerId) {
    if (inContainer) refuse(session, message, badMessage.container);
    else if (message.seqno & 1) refuse(session, message, badMessage.seqnoNotEven);
    else for (const each of readContainer(reader)) receiveMessage(context, connection, session, each, true);
    return;
  }
  const body = id === gzipPackedId ? unpack(reader.bytes()) : message.body;
  if (mtprotoSchema.definition(body.readUInt32LE(0))) {
    answerService(context, connection, session, message, mtprotoSchema.readObject(new Reader(body)));
  } else if (message.seqno & 1) {
    session.outbox.acknowledge(message.id);
    void answerCall(context, session, message.id, body);
  } else {
    refuse(session, message, badMessage.seqnoNotOdd);
  }
}

/** A call that comes again is not carried out again: it gets the answer that it had. */
function receiveAgain({ inbox, outbox }: Session, { id, seqno }: Message): void {
  if (inbox.stateOf(id) === 'running' || outbox.repeatAnswer(id)) return;
  if (seqno & 1) outbox.acknowledge(id);
}

function refuse({ outbox }: Session, { id, seqno }: Message, code: number): void {
  outbox.notify(
    mtprotoSchema.write({ _: 'bad_msg_notification', bad_msg_id: id, bad_msg_seqno: seqno, error_code: code }),
  );
}
