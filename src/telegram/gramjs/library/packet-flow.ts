import type bigInt from 'big-integer';
import { SecurityError, TypeNotFoundError } from 'telegram/errors/Common.js';
import type { Connection } from 'telegram/network/connection/Connection.js';
import { RequestState } from 'telegram/network/RequestState.js';
import type { TLMessage } from 'telegram/tl/core/TLMessage.js';
import { Api } from 'telegram/tl/index.js';
import type { Pieces } from './packing.ts';
import type { SendQueue } from './send-queue.ts';
import type { TcpSocket } from './tcp-socket.ts';

/** Names of GramJS's sender that are used here, most of them private. */
export interface FlowingSender {
  _connection: Connection;
  _state: {
    encryptMessageData(data: Pieces): Promise<Buffer>;
    decryptMessageData(packet: Buffer): Promise<TLMessage>;
  };
  _sendQueue: SendQueue;
  _pendingAck: Set<bigInt.BigInteger>;
  _pendingState: { set(id: bigInt.BigInteger, state: RequestState): void };
  _userConnected: boolean;
  userDisconnected: boolean;
  /** The connection has broken. */
  reconnect(): void;
  _processMessage(message: TLMessage): Promise<void>;
}

/**
 * Sends what waits and handles what arrives, packet after packet. GramJS has a loop for each, which never ends: on an idle
 * connection both hold the last packet and a chain of promises, 13 KB with those of its connection. Here nothing runs
 * until there is something to send or to read.
 */
export class PacketFlow {
  readonly #sender: FlowingSender;
  readonly #onFailure: (reason: 'send-failed' | 'receive-failed') => void;
  #isOpen = false;
  #isSending = false;
  #isReceiving = false;

  constructor(sender: FlowingSender, onFailure: (reason: 'send-failed' | 'receive-failed') => void) {
    this.#sender = sender;
    this.#onFailure = onFailure;
  }

  /** The connection can be used: what has waited for it leaves. */
  open(): void {
    this.#isOpen = true;
    (this.#sender._connection.socket as unknown as TcpSocket).onNews = () => void this.#receive();
    this.sendSoon();
    void this.#receive();
  }

  /** What is put into the queue in one turn of the event loop leaves in one packet. */
  sendSoon(): void {
    if (this.#isOpen && !this.#isSending) void this.#send();
  }

  /** It is over in the same moment in which it finds nothing to send, so that no request waits unseen. */
  async #send(): Promise<void> {
    this.#isSending = true;
    try {
      for (let isUsable = true; isUsable && this.#hasToSend(); ) {
        await new Promise(setImmediate);
        this.#acknowledge();
        isUsable = await this.#sendPacket();
      }
    } catch {
      this.#onFailure('send-failed');
    } finally {
      this.#isSending = false;
    }
  }

  #hasToSend(): boolean {
    this.#acknowledge();
    return this.#sender._userConnected && this.#sender._sendQueue._queue.length > 0;
  }

  /** @returns whether the connection can still be used */
  async #sendPacket(): Promise<boolean> {
    const { _sendQueue: queue, _state: state, _pendingState: pending, _connection: connection } = this.#sender;
    const packet = await queue.get();
    if (packet === undefined) return true;
    const bytes = await state.encryptMessageData(packet.data);
    for (const sent of packet.batch) if (isAnswered(sent) && sent.msgId !== undefined) pending.set(sent.msgId, sent);
    try {
      await connection.send(bytes);
      return true;
    } catch {
      this.#noteEnd();
      return false;
    }
  }

  #acknowledge(): void {
    const { _pendingAck: ids, _sendQueue: queue } = this.#sender;
    if (ids.size === 0) return;
    queue.append(new RequestState(new Api.MsgsAck({ msgIds: [...ids] })));
    ids.clear();
  }

  async #receive(): Promise<void> {
    if (this.#isReceiving) return;
    const socket = this.#sender._connection.socket as unknown as TcpSocket;
    this.#isReceiving = true;
    try {
      for (let isUsable = true; isUsable && this.#sender._userConnected && socket.hasNews; )
        isUsable = await this.#receivePacket();
    } catch {
      this.#onFailure('receive-failed');
    } finally {
      this.#isReceiving = false;
    }
  }

  /** @returns whether the connection can still be used */
  async #receivePacket(): Promise<boolean> {
    let message: TLMessage;
    try {
      const packet = (await this.#sender._connection.recv()) as Buffer;
      message = await this.#sender._state.decryptMessageData(packet);
    } catch (error) {
      if (error instanceof SecurityError || error instanceof TypeNotFoundError) return true;
      this.#noteEnd();
      return false;
    }
    try {
      await this.#sender._processMessage(message);
    } catch {
      // One message that could not be handled; its request ends by its own timeout.
    }
    return true;
  }

  #noteEnd(): void {
    if (!this.#sender.userDisconnected) this.#sender.reconnect();
  }
}

const isAnswered = ({ request }: RequestState): boolean =>
  (request as unknown as { classType: string }).classType === 'request';
