import { GZIPPacked } from 'telegram/tl/core/GZIPPacked.js';
import { MessageContainer } from 'telegram/tl/core/MessageContainer.js';
import { RPCResult } from 'telegram/tl/core/RPCResult.js';
import type { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { Api } from 'telegram/tl/index.js';

/** Methods of GramJS's sender that handle one kind of message each. */
type HandlerName = (typeof handlers extends ReadonlyMap<number, infer N> ? N : never) | '_handleUpdate';
export type MessageHandlers = Record<HandlerName, (message: TLMessage) => unknown>;

/** By constructor. GramJS makes fourteen bound functions of them for each sender, 2 KB. */
const handlers = new Map([
  [RPCResult.CONSTRUCTOR_ID, '_handleRPCResult'],
  [MessageContainer.CONSTRUCTOR_ID, '_handleContainer'],
  [GZIPPacked.CONSTRUCTOR_ID, '_handleGzipPacked'],
  [Api.Pong.CONSTRUCTOR_ID, '_handlePong'],
  [Api.BadServerSalt.CONSTRUCTOR_ID, '_handleBadServerSalt'],
  [Api.BadMsgNotification.CONSTRUCTOR_ID, '_handleBadNotification'],
  [Api.MsgDetailedInfo.CONSTRUCTOR_ID, '_handleDetailedInfo'],
  [Api.MsgNewDetailedInfo.CONSTRUCTOR_ID, '_handleNewDetailedInfo'],
  [Api.NewSessionCreated.CONSTRUCTOR_ID, '_handleNewSessionCreated'],
  [Api.MsgsAck.CONSTRUCTOR_ID, '_handleAck'],
  [Api.FutureSalts.CONSTRUCTOR_ID, '_handleFutureSalts'],
  [Api.MsgsStateReq.CONSTRUCTOR_ID, '_handleStateForgotten'],
  [Api.MsgResendReq.CONSTRUCTOR_ID, '_handleStateForgotten'],
  [Api.MsgsAllInfo.CONSTRUCTOR_ID, '_handleMsgAll'],
] as const);

/** What none of them is for is an update. */
export function handlerOf(message: TLMessage): HandlerName {
  return handlers.get((message.obj as { CONSTRUCTOR_ID: number }).CONSTRUCTOR_ID) ?? '_handleUpdate';
}
