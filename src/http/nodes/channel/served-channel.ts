import type { Socket } from 'node:net';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import {
  type ChannelAnswer,
  type ChannelItem,
  type ChannelRequest,
  decodeItems,
  type RequestHead,
} from '../../../hop/channel/channel-message.ts';
import { ChannelSeal } from '../../../hop/channel/channel-seal.ts';
import type { Hop } from '../../../hop/hop-header.ts';
import type { TurnSocket } from '../../../websocket/turn-socket.ts';
import type { App } from '../../shared/app-types.ts';
import { type ChannelExchange, createExchange } from './channel-exchange.ts';

/** A node that was told that this one ends has so long to close its channel; then it is closed here, once all is answered. */
const closingMs = 1_000;
/** Of the head of an answer, about. */
const headBytes = 512;

export interface ServedChannelDeps {
  app: App;
  /** The one that has opened the channel. */
  hop: Hop;
  clusterKey: string;
  socket: TurnSocket<ChannelItem<ChannelAnswer>>;
}

/** The owner's end of a channel: its requests go through the routes like all others. */
export class ServedChannel {
  readonly #deps: ServedChannelDeps;
  readonly #seal: ChannelSeal;
  readonly #shown: Socket;
  readonly #exchanges = new Map<number, ChannelExchange>();
  #closing: { clock: Clock; timer: TimerHandle } | undefined;

  constructor(deps: ServedChannelDeps, connection: Socket) {
    const { clusterKey, hop, socket } = deps;
    this.#deps = deps;
    this.#seal = new ChannelSeal(clusterKey, hop.reqId);
    this.#shown = shownOf(connection);
    socket.onMessage((message) => this.#read(message));
    socket.onClose(() => {
      this.#closing?.clock.clearTimeout(this.#closing.timer);
      for (const { leave } of this.#exchanges.values()) leave();
    });
  }

  /** The gateway ends: what has come is answered. */
  end(clock: Clock): void {
    this.#send({ kind: 'ending' });
    this.#closeLater(clock);
  }

  #closeLater(clock: Clock): void {
    const timer = clock.setTimeout(() => {
      if (this.#exchanges.size === 0) this.#deps.socket.terminate();
      else this.#closeLater(clock);
    }, closingMs);
    this.#closing = { clock, timer };
  }

  #read(message: Buffer): void {
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
    this.#deps.socket.send({ head, body }, headBytes + (body?.length ?? 0));
  }
}

/** What a request shows of its connection. It may be ended without it, since others share it, and does not read from it. */
const shownOf = (connection: Socket): Socket =>
  Object.create(connection, { destroy: { value: () => {} }, readable: { value: false } }) as Socket;
