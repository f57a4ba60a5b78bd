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

/** What the sender tells the one that made it. */
export interface SenderListener {
  /** Anything arrived; the ID of a message carries the server's time. */
  heard(messageId: bigInt.BigInteger): void;
  update(update: Api.TypeUpdates): void;
  /** The connection is gone; the sender is of no more use. */
  broken(reason: string): void;
  /** The server does not know the key any more (-404). */
  keyUnknown(): void;
}

/** Telegram has answered with something that this layer has no words for: asking again gives the same. */
export class UnreadableAnswerError extends Error {
  override name = 'UnreadableAnswerError';

  /** @param request `updates.GetDifference` */
  constructor(request: string, cause?: unknown) {
    super(`the answer to ${request} is unreadable`, { cause });
  }
}

/**
 * The clock, and numbers of messages; the others are a message that came too late, or packed wrongly
 * (https://core.telegram.org/mtproto/service_messages_about_messages#notice-of-ignored-error-message).
 */
const curableCodes: ReadonlySet<number> = new Set([16, 17, 32, 33]);

interface RpcResult {
  reqMsgId: bigInt.BigInteger;
  body?: Buffer;
  error?: Api.RpcError;
}

/**
 * GramJS's sender for one connection, that neither reconnects by itself nor keeps anything running. Every cure of a
 * defect of the package's network layer that is not a cure of a shared function is here, by overriding.
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

  /** D3, D4: no reconnecting behind our back, and so no timer that outlives the connection. */
  override reconnect(): void {
    this.#listener.broken('connection-closed');
  }

  /** D6: GramJS would go on with a dead receive loop and say that it is connected. */
  override _handleBadAuthKey(): void {
    this.#listener.keyUnknown();
  }

  /** D1: in GramJS an error answer inside a container loses all answers after it. */
  override async _handleContainer(message: TLMessage): Promise<void> {
    for (const inner of (message.obj as { messages: TLMessage[] }).messages) {
      try {
        await this._processMessage(inner);
      } catch {
        // One unreadable message; its request ends by its own deadline.
      }
    }
  }

  /** Rejects with Telegram's own code and name: GramJS's error classes keep only some of them. */
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

  /** What GramJS has no cure for would be an error of the call: asked over a new connection, it is answered. */
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

  /** Rejects every request that is not answered yet; GramJS would leave them waiting for ever. */
  rejectPending(error: Error): void {
    for (const state of [...this._pendingState.values(), ...queuedIn(this)]) {
      // An acknowledgement that has not left has nobody who waits for it.
      state?.promise?.catch(() => undefined);
      state?.reject(error);
    }
    this._pendingState.clear();
  }
}

/** A request of GramJS as its sender takes one; an envelope of `initConnection` may lie around it. */
export class OutgoingRequest {
  /** What the sender looks at: a request that is answered, and none of those that it would chain (invokeAfterMsg). */
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
