import type { ServerResponse } from 'node:http';
import type { Clock, TimerHandle } from '../../../actors/ports/clock.ts';
import type { TurnSocket } from '../../websocket/turn-socket.ts';
import { passedResponseHeaders } from '../passed-headers.ts';
import { begunHeader, misdirected, type Passed, type PassOutcome } from '../passed-request.ts';
import {
  type AnswerHead,
  type ChannelAnswer,
  type ChannelRequest,
  decodeItems,
  type EncodedItem,
  encodeItem,
  type RequestHead,
} from './channel-message.ts';

/** A request of a caller who has not left, with its whole body. */
export interface ChannelledRequest extends Omit<RequestHead, 'kind' | 'number'> {
  body: Buffer | undefined;
  response: ServerResponse;
  /** Called right before the response is passed on. */
  onHead: () => void;
}

/** With this much that the other node has not taken, requests go one by one: what is sent here is kept, even if its caller leaves. */
const maxUnsentBytes = 4 * 1024 * 1024;
/** A node that has requests says something, if only to a ping, within this time, or is sent nothing more. After it once more, it is given up. */
const silentMs = 5_000;

/**
 * One connection to another node, for many requests at once. Requests that come in one turn of the event loop leave as one
 * message, and so do their answers. So they are together at the owner too, whose calls to Telegram then share packets.
 */
export class NodeChannel {
  readonly #socket: TurnSocket<EncodedItem>;
  readonly #clock: Clock;
  readonly #onRetired: () => void;
  readonly #waiting = new Map<number, WaitingRequest>();
  #lastNumber = 0;
  #isRetired = false;
  #isHeard = false;
  /** It has said nothing for {@link silentMs}. */
  #isSilent = false;
  #watching: TimerHandle | undefined;

  /** @param onRetired it takes no more requests */
  constructor(socket: TurnSocket<EncodedItem>, clock: Clock, onRetired: () => void) {
    this.#socket = socket;
    this.#clock = clock;
    this.#onRetired = onRetired;
    socket.onHeard(() => {
      this.#isHeard = true;
    });
    socket.onMessage((message) => this.#read(message));
    socket.onClose(() => {
      if (this.#watching !== undefined) clock.clearTimeout(this.#watching);
      this.retire();
      for (const waiting of this.#waiting.values()) waiting.lose();
    });
  }

  /** How many requests it was given. */
  get count(): number {
    return this.#lastNumber;
  }

  get isUsable(): boolean {
    return !this.#isRetired && this.#socket.isOpen && this.#socket.unsentBytes < maxUnsentBytes;
  }

  pass({ body, response, onHead, ...head }: ChannelledRequest): Passed {
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    this.#send({ kind: 'request', number, ...head }, body);
    const waiting: WaitingRequest = new WaitingRequest(response, {
      onHead,
      onEnd: () => {
        this.#waiting.delete(number);
        this.#closeIfDone();
      },
      onLeft: () => this.#send({ kind: 'left', number }),
      onSilent: () => this.retire(),
    });
    this.#waiting.set(number, waiting);
    this.#watch();
    return waiting;
  }

  /** Takes no more requests, and closes when those that it has are answered. */
  retire(): void {
    if (this.#isRetired) return;
    this.#isRetired = true;
    this.#onRetired();
    this.#closeIfDone();
  }

  /** Ends what is in flight. */
  terminate(): void {
    this.#socket.terminate();
  }

  #send(head: ChannelRequest, body?: Buffer): void {
    this.#socket.send(encodeItem({ head, body }));
  }

  /**
   * Its connection may be dead: a new one would show that in a second, and nothing that is sent in this one. Without an end,
   * what waits for the other node would wait for minutes.
   */
  #watch(): void {
    if (this.#watching !== undefined) return;
    this.#isHeard = false;
    this.#socket.ping();
    this.#watching = this.#clock.setTimeout(() => {
      this.#watching = undefined;
      if (!this.#isHeard && this.#isSilent) return this.terminate();
      this.#isSilent = !this.#isHeard;
      if (this.#isSilent) this.retire();
      if (this.#waiting.size > 0) this.#watch();
    }, silentMs);
  }

  #read(message: Buffer): void {
    for (const { head, body } of decodeItems<ChannelAnswer>(message)) {
      if (head.kind === 'ending') this.retire();
      else this.#waiting.get(head.number)?.answer(head, body);
    }
  }

  #closeIfDone(): void {
    if (this.#isRetired && this.#waiting.size === 0) this.#socket.close();
  }
}

interface WaitingEvents {
  onHead: () => void;
  /** It has its outcome. */
  onEnd: () => void;
  /** Its caller has left, or it is not waited for any more. */
  onLeft: () => void;
  /** Its node says nothing more. */
  onSilent: () => void;
}

/** A request that the other node has. */
class WaitingRequest implements Passed {
  readonly outcome: Promise<PassOutcome>;
  readonly #response: ServerResponse;
  readonly #events: WaitingEvents;
  #settle!: (outcome: PassOutcome) => void;
  #isBegun = false;

  constructor(response: ServerResponse, events: WaitingEvents) {
    this.#response = response;
    this.#events = events;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    response.once('close', this.#onClose);
  }

  get isBegun(): boolean {
    return this.#isBegun;
  }

  answer({ status, headers }: AnswerHead, body: Buffer | undefined): void {
    if (status === misdirected) {
      this.#isBegun = headers[begunHeader] !== undefined;
      return this.#finish('moved');
    }
    this.#events.onHead();
    this.#response.writeHead(status, passedResponseHeaders(headers));
    this.#response.end(body);
    this.#finish('answered');
  }

  /** The connection broke. */
  lose(): void {
    this.#finish(this.#response.destroyed ? 'answered' : 'lost');
  }

  abort(): void {
    this.#events.onLeft();
    this.#events.onSilent();
    this.lose();
  }

  /** It is none. */
  endStream(): void {}

  readonly #onClose = (): void => {
    this.#events.onLeft();
    this.lose();
  };

  #finish(outcome: PassOutcome): void {
    this.#response.off('close', this.#onClose);
    this.#events.onEnd();
    this.#settle(outcome);
  }
}
