import bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import { InvalidBufferError, SecurityError } from 'telegram/errors/Common.js';
import { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import type { Connection } from 'telegram/network/connection/Connection.js';
import { MTProtoPlainSender } from 'telegram/network/MTProtoPlainSender.js';
import { MTProtoSender } from 'telegram/network/MTProtoSender.js';
import type { MTProtoState } from 'telegram/network/MTProtoState.js';
import { RequestState } from 'telegram/network/RequestState.js';
import { GZIPPacked } from 'telegram/tl/core/GZIPPacked.js';
import type { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { Api } from 'telegram/tl/index.js';
import { TelegramError } from '../../port/errors.ts';
import { readAnswer } from './answers/read-answer.ts';
import { readKnown, SwollenAnswerError } from './hardening.ts';
import { exchangeKey } from './key-exchange.ts';
import { handlerOf, type MessageHandlers } from './message-handlers.ts';
import { numberMessagesTogether } from './message-ids.ts';
import { toNative } from './native-numbers.ts';
import { type FlowingSender, PacketFlow } from './packet-flow.ts';
import { packWithFewCopies } from './packing.ts';
import { ReceivedIds } from './received-ids.ts';
import { gatherRequests, queuedIn } from './send-queue.ts';
import { silentLogger } from './tcp-connection.ts';
import { unpackWithAllChecks } from './unpacking.ts';

/** The callbacks of a sender. */
export interface SenderListener {
  /** Something arrived; a message ID carries the server's time. */
  heard(messageId: bigInt.BigInteger): void;
  update(update: Api.TypeUpdates): void;
  /** The connection is closed; the sender cannot be used any more. */
  broken(reason: string): void;
  /**
   * The server, or a device on the way, answered with a code in plain text: -404, -429, -444
   * (https://core.telegram.org/mtproto/mtproto-transports#transport-errors). The connection is of no use any more.
   */
  transportError(code: number): void;
}

/** Telegram's answer has a constructor that this layer does not know. A retry would get the same answer. */
export class UnreadableAnswerError extends Error {
  override name = 'UnreadableAnswerError';

  /** @param request `updates.GetDifference` */
  constructor(request: string, cause?: unknown) {
    super(`the answer to ${request} is unreadable`, { cause });
  }
}

/**
 * Codes about the clock and message numbers. The others mean a late or wrongly packed message
 * (https://core.telegram.org/mtproto/service_messages_about_messages#notice-of-ignored-error-message).
 */
const curableCodes: ReadonlySet<number> = new Set([16, 17, 32, 33]);

/** Whether a request went out, alone or in a container, before the message with that ID. */
const isBefore = ({ msgId, containerId }: RequestState, first: bigInt.BigInteger): boolean =>
  (containerId ?? msgId)?.lesser(first) ?? false;

const noExportedSenders = new Map<number, never>();
const swollenAnswer = 'answer-too-large';
/** Private names of GramJS's sender that are used here. */
interface Hidden {
  _connection: Connection;
  _state: MTProtoState & { salt: bigInt.BigInteger };
  _pendingAck: Set<bigInt.BigInteger>;
  _sendQueue: { extend(states: RequestState[]): void };
  _handlers: object | undefined;
}

interface RpcResult {
  reqMsgId: bigInt.BigInteger;
  body?: Buffer;
  error?: Api.RpcError;
}

/**
 * GramJS's sender for one connection. It does not reconnect and leaves nothing running. It overrides every defect of
 * the package's network layer that is not in a shared function.
 */
export class HardenedSender extends MTProtoSender {
  readonly #listener: SenderListener;
  readonly #flow: PacketFlow;
  #hasSession = false;
  readonly #ids = new ReceivedIds();

  constructor(key: AuthKey | undefined, dc: number, listener: SenderListener) {
    super(key, {
      logger: silentLogger,
      dcId: dc,
      retries: 1,
      reconnectRetries: 0,
      delay: 0,
      autoReconnect: false,
      connectTimeout: null,
      authKeyCallback: null,
      updateCallback: (_client: unknown, update: Api.TypeUpdates | { state: number }) => {
        if (!('state' in update)) listener.update(update);
      },
      isMainSender: true,
      client: {} as ConstructorParameters<typeof MTProtoSender>[1]['client'],
      securityChecks: true,
      _exportedSenderPromises: noExportedSenders,
    });
    this.#listener = listener;
    // A table of all senders replaces it.
    (this as unknown as Partial<Hidden>)._handlers = undefined;
    this.#flow = new PacketFlow(this as unknown as FlowingSender, (reason) => listener.broken(reason));
    gatherRequests(this, () => this.#flow.sendSoon());
    const { _state: state } = this as unknown as Hidden;
    numberMessagesTogether(state);
    packWithFewCopies(state);
    unpackWithAllChecks(state, {
      ids: this.#ids,
      repeated: (id) => this.#acknowledge(bigInt(id)),
      transportError: (error) => this.#noteTransportError(error),
    });
  }

  /** D3, D4: no reconnecting by itself, and so no timer that outlives the connection. */
  override reconnect(): void {
    this.#listener.broken('connection-closed');
  }

  /** D6: GramJS would keep a dead receive loop and report that it is connected. The listener has the code already. */
  override _handleBadAuthKey(): void {}

  /** The key exchange of GramJS omits checks. With a transport error it ends at once, as the connection does. */
  override async _connect(): Promise<void> {
    try {
      if (this.authKey.getKey() === undefined) await this.#exchangeKey();
      await super._connect();
    } catch (error) {
      if (error instanceof InvalidBufferError) this.#noteTransportError(error);
      if (error instanceof SecurityError) this.#listener.broken('key-exchange-failed');
      throw error;
    }
  }

  async #exchangeKey(): Promise<void> {
    const { _connection: connection, _state: state } = this as unknown as Hidden;
    if (!connection.isConnected()) await connection.connect();
    const plain = new MTProtoPlainSender(connection, silentLogger);
    const { key, serverTime } = await exchangeKey((request) => plain.send(request));
    await this.authKey.setKey(key);
    // The upper half of a message's ID is its time.
    state.updateTimeOffset(bigInt(serverTime).shiftLeft(32));
  }

  #noteTransportError({ code }: InvalidBufferError): void {
    if (code === undefined) this.#listener.broken('connection-closed');
    else this.#listener.transportError(-code);
  }

  /** D1: in GramJS an error answer inside a container loses all answers after it. */
  override async _handleContainer(message: TLMessage): Promise<void> {
    for (const inner of (message.obj as { messages: TLMessage[] }).messages) {
      try {
        // What came before is acknowledged again, and not handled again.
        if (this.#ids.add(toNative(inner.msgId))) await this._processMessage(inner);
        else this.#acknowledge(inner.msgId);
      } catch {
        // One unreadable message, or one that no server sent; its request ends by its own timeout.
      }
    }
  }

  /** Rejects with Telegram's own code and name; GramJS's error classes keep only some of them. */
  override _handleRPCResult(message: TLMessage): void {
    const { reqMsgId, body, error } = message.obj as RpcResult;
    const state: RequestState | undefined = this._pendingState.getAndDelete(reqMsgId);
    if (state === undefined) return;
    const request = state.request as OutgoingRequest;
    if (error) {
      state.reject(new TelegramError(error.errorCode, error.errorMessage, request.name));
      return;
    }
    try {
      state.resolve(request.readResult(body as Buffer));
    } catch (cause) {
      state.reject(new UnreadableAnswerError(request.name, cause));
    }
  }

  /**
   * A code that GramJS does not handle would become an error of the call. On a new connection the request is answered.
   */
  override async _handleBadNotification(message: TLMessage): Promise<void> {
    const { errorCode } = message.obj as Api.BadMsgNotification;
    if (curableCodes.has(errorCode)) await super._handleBadNotification(message);
    else this.#listener.broken('bad-message');
  }

  /** In GramJS what cannot be read is lost without a word. */
  override async _handleGzipPacked(message: TLMessage): Promise<void> {
    const inner = await readKnown(new BinaryReader((message.obj as { data: Buffer }).data));
    // There are packed messages that unpack to themselves.
    if (inner instanceof GZIPPacked) return this.#listener.broken(swollenAnswer);
    message.obj = inner as TLMessage['obj'];
    await this._processMessage(message);
  }

  /**
   * The first session of a connection is the one that it begins with. A later one means that the server has dropped that
   * one, with the requests and updates in it (https://core.telegram.org/mtproto/service_messages#new-session-creation-notification).
   */
  override async _handleNewSessionCreated(message: TLMessage): Promise<void> {
    const { firstMsgId, serverSalt } = message.obj as unknown as Api.NewSessionCreated;
    const { _state: state, _sendQueue: queue } = this as unknown as Hidden;
    state.salt = serverSalt;
    if (this.#hasSession) {
      const lost = this._pendingState.values().filter((sent) => isBefore(sent, firstMsgId));
      for (const { msgId } of lost) if (msgId !== undefined) this._pendingState.delete(msgId);
      queue.extend(lost);
      this.#listener.update(new Api.UpdatesTooLong());
    }
    this.#hasSession = true;
  }

  override async _handleDetailedInfo(message: TLMessage): Promise<void> {
    this.#want((message.obj as unknown as Api.MsgDetailedInfo).answerMsgId);
  }

  override async _handleNewDetailedInfo(message: TLMessage): Promise<void> {
    this.#want((message.obj as unknown as Api.MsgNewDetailedInfo).answerMsgId);
  }

  /**
   * The server has told of a message instead of sending it. GramJS acknowledges it without having it, and it never comes
   * (https://core.telegram.org/mtproto/service_messages_about_messages#extended-voluntary-communication-of-status-of-one-message).
   */
  #want(id: bigInt.BigInteger): void {
    if (this.#ids.has(toNative(id))) return this.#acknowledge(id);
    const request = new Api.MsgResendReq({ msgIds: [id] }) as unknown as Api.MsgsAck;
    this.addStateToQueue(new RequestState(request));
  }

  /** With the next packet. */
  #acknowledge(id: bigInt.BigInteger): void {
    (this as unknown as Hidden)._pendingAck.add(id);
  }

  override async _processMessage(message: TLMessage): Promise<void> {
    this.#listener.heard(message.msgId);
    try {
      this.#acknowledge(message.msgId);
      // What is packed is read in a promise.
      message.obj = await message.obj;
      await (this as unknown as MessageHandlers)[handlerOf(message)](message);
    } catch (error) {
      if (error instanceof SwollenAnswerError) this.#listener.broken(swollenAnswer);
      throw error;
    }
  }

  /** GramJS begins both of its loops when it has connected. */
  override async _sendLoop(): Promise<void> {
    this.#flow.open();
  }

  override async _recvLoop(): Promise<void> {}

  /** Rejects every unanswered request. GramJS would leave them pending without end. */
  rejectPending(error: Error): void {
    for (const state of [...this._pendingState.values(), ...queuedIn(this)]) {
      // No caller waits for an acknowledgement that was not sent.
      state?.promise?.catch(() => undefined);
      state?.reject(error);
    }
    this._pendingState.clear();
  }
}

/** A request in the form that GramJS's sender takes; it may be wrapped in `initConnection`. */
export class OutgoingRequest {
  /** The properties that the sender reads: the request needs an answer and is not chained (invokeAfterMsg). */
  readonly classType = 'request';
  readonly className = 'OutgoingRequest';
  readonly CONSTRUCTOR_ID = 0;
  /** `messages.SendMessage` */
  readonly name: string;
  readonly #request: Api.AnyRequest;
  readonly #bytes: Buffer;

  constructor(request: Api.AnyRequest, bytes: Buffer) {
    this.name = request.className;
    this.#request = request;
    this.#bytes = bytes;
  }

  getBytes(): Buffer {
    return this.#bytes;
  }

  readResult(body: Buffer): unknown {
    const request = this.#request as unknown as { readResult(from: BinaryReader): unknown };
    return readAnswer(body, (reader) => request.readResult(reader));
  }
}
