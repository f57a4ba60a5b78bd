import type { Socket } from 'node:net';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import {
  type ChannelAnswer,
  type ChannelRequest,
  decodeItems,
  type EncodedItem,
  encodeItem,
  type RequestHead,
} from '../../../hop/channel/channel-message.ts';
import { ChannelSeal } from '../../../hop/channel/channel-seal.ts';
import type { Hop } from '../../../hop/hop-header.ts';
import type { TurnSocket } from '../../../websocket/turn-socket.ts';
import type { App } from '../../shared/app-types.ts';
import { type ChannelExchange, createExchange } from './channel-exchange.ts';

/** A node that was told that this one ends has so long to close its channel; then it is closed here, once all is answered. */
const closingMs = 1_000;
/** A node closes a channel that has been idle for two minutes. One that does not is gone, and its connection says nothing of that. */
const idleMs = 5 * 60_000;

export interface ServedChannelDeps {
  app: App;
  clock: Clock;
  /** The one that has opened the channel. */
  hop: Hop;
  clusterKey: string;
  socket: TurnSocket<EncodedItem>;
}

/** The owner's end of a channel: its requests go through the routes like all others. */
export class ServedChannel {
  readonly #deps: ServedChannelDeps;
  readonly #seal: ChannelSeal;
  readonly #shown: Socket;
  readonly #exchanges = new Map<number, ChannelExchange>();
  #timer: TimerHandle | undefined;
  #isIdle = false;

  constructor(deps: ServedChannelDeps, connection: Socket) {
    const { clock, clusterKey, hop, socket } = deps;
    this.#deps = deps;
    this.#seal = new ChannelSeal(clusterKey, hop.reqId);
    this.#shown = shownOf(connection);
    socket.onMessage((message) => this.#read(message));
    socket.onClose(() => {
      if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
      for (const { leave } of this.#exchanges.values()) leave();
    });
    this.#closeIdle(idleMs);
  }

  /** The gateway ends: what has come is answered. */
  end(): void {
    this.#send({ kind: 'ending' });
    this.#closeIdle(closingMs);
  }

  /** Closes it once nothing has come in such a time, and all is answered. */
  #closeIdle(afterMs: number): void {
    const { clock, socket } = this.#deps;
    if (this.#timer !== undefined) clock.clearTimeout(this.#timer);
    this.#isIdle = true;
    this.#timer = clock.setTimeout(() => {
      if (this.#isIdle && this.#exchanges.size === 0) socket.terminate();
      else this.#closeIdle(afterMs);
    }, afterMs);
  }

  #read(message: Buffer): void {
    this.#isIdle = false;
    for (const { head, body } of decodeItems<ChannelRequest>(this.#seal.open(message))) {
      if (head.kind === 'left') this.#exchanges.get(head.number)?.leave();
      else this.#serve(head, body);
    }
  }

  #serve({ number, method, url, headers, reqId, client, waitMs }: RequestHead, body: Buffer | undefined): void {
    const { app, hop } = this.#deps;
    const about = { from: hop.from, to: hop.to, at: hop.at, reqId, client, waitMs };
    const exchange = createExchange(
      { socket: this.#shown, method, url, headers, body, hop: about },
      (answer) => this.#send({ kind: 'answer', number, status: answer.status, headers: answer.headers }, answer.body),
      () => void this.#exchanges.delete(number),
    );
    this.#exchanges.set(number, exchange);
    app.routing(exchange.request, exchange.response);
  }

  #send(head: ChannelAnswer, body?: Buffer): void {
    this.#deps.socket.send(encodeItem({ head, body }));
  }
}

/** What a request shows of its connection. It may be ended without it, since others share it, and does not read from it. */
const shownOf = (connection: Socket): Socket =>
  Object.create(connection, { destroy: { value: () => {} }, readable: { value: false } }) as Socket;
