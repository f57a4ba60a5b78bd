import type bigInt from 'big-integer';
import { AuthKey } from 'telegram/crypto/AuthKey.js';
import type { BinaryReader } from 'telegram/extensions/BinaryReader.js';
import { MTProtoSender } from 'telegram/network/MTProtoSender.js';
import type { MTProtoState } from 'telegram/network/MTProtoState.js';
import type { RequestState } from 'telegram/network/RequestState.js';
import type { Api } from 'telegram/tl/api.js';
import type { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { TelegramError } from '../../port/errors.ts';
import { numberMessagesTogether } from './message-ids.ts';
import { packWithFewCopies } from './packing.ts';
import { readAnswer } from './read-answer.ts';
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
  /** The server no longer knows the key (-404). */
  keyUnknown(): void;
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
      _exportedSenderPromises: new Map(),
    });
    this.#listener = listener;
    gatherRequests(this);
    const { _state: state } = this as unknown as { _state: MTProtoState };
    numberMessagesTogether(state);
    packWithFewCopies(state);
    unpackWithAllChecks(state);
  }

  /** D3, D4: no reconnecting by itself, and so no timer that outlives the connection. */
  override reconnect(): void {
    this.#listener.broken('connection-closed');
  }

  /** D6: GramJS would keep a dead receive loop and report that it is connected. */
  override _handleBadAuthKey(): void {
    this.#listener.keyUnknown();
  }

  /** D1: in GramJS an error answer inside a container loses all answers after it. */
  override async _handleContainer(message: TLMessage): Promise<void> {
    for (const inner of (message.obj as { messages: TLMessage[] }).messages) {
      try {
        await this._processMessage(inner);
      } catch {
        // One unreadable message; its request ends by its own timeout.
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

  override async _processMessage(message: TLMessage): Promise<void> {
    this.#listener.heard(message.msgId);
    await super._processMessage(message);
  }

  override async _sendLoop(): Promise<void> {
    try {
      await super._sendLoop();
    } catch {
      this.#listener.broken('send-failed');
    }
  }

  override async _recvLoop(): Promise<void> {
    try {
      await super._recvLoop();
    } catch {
      this.#listener.broken('receive-failed');
    }
  }

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
