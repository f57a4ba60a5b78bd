import { type ClientRequest, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { Clock } from '../../actors/ports/clock.ts';
import type { ClusterNode } from '../cluster/cluster.ts';
import { connectTimeoutMs } from './node-connections.ts';
import { passedResponseHeaders } from './passed-headers.ts';
import { callerHasLeft, misdirected, type Passed, type PassOutcome } from './passed-request.ts';

/** Takes the caller's connection away from its response, once the other node has opened the WebSocket. */
export type UpgradeTaker = () => { socket: Duplex; head: Buffer };

export interface UpgradeRequest {
  path: string;
  /** Without those of the connection. */
  headers: readonly string[];
  /** For a refusal. Its caller has not left. */
  response: ServerResponse;
  upgrade: UpgradeTaker;
  onHead: () => void;
}

/**
 * One WebSocket at another node: a tunnel, once it is open. By Node's own client, since undici's has no response of a refused
 * upgrade.
 */
export class PassedUpgrade implements Passed {
  readonly outcome: Promise<PassOutcome>;
  readonly isBegun = false;
  readonly #wish: UpgradeRequest;
  readonly #request: ClientRequest;
  #settle!: (outcome: PassOutcome) => void;
  #hasConnected = false;
  #caller: Duplex | undefined;

  constructor({ url }: Pick<ClusterNode, 'url'>, clock: Clock, wish: UpgradeRequest) {
    this.#wish = wish;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const address = urlToHttpOptions(new URL(url));
    const headers = [...wish.headers, 'connection', 'Upgrade', 'upgrade', 'websocket'];
    const options = { ...address, path: wish.path, headers, agent: false } as const;
    const isTls = address.protocol === 'https:';
    this.#request = isTls ? requestHttps(options) : requestHttp(options);
    const late = clock.setTimeout(() => this.abort(new Error('no connection in time')), connectTimeoutMs);
    this.#request.once('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        clock.clearTimeout(late);
        this.#hasConnected = true;
      });
    });
    this.#request.once('upgrade', (response, socket, head) => this.#join(response, socket, head));
    this.#request.once('response', (response) => this.#refuse(response));
    this.#request.once('error', () => {
      clock.clearTimeout(late);
      if (wish.response.destroyed) this.#finish('answered');
      else this.#finish(this.#hasConnected ? 'lost' : 'unreached');
    });
    wish.response.once('close', this.#onClose);
    this.#request.end();
  }

  abort(reason: Error): void {
    this.#request.destroy(reason);
    this.#caller?.destroy();
  }

  endStream(): void {
    this.abort(new Error('the gateway ends'));
  }

  #join({ rawHeaders, statusMessage }: IncomingMessage, socket: Duplex, first: Buffer): void {
    const { response, upgrade, onHead } = this.#wish;
    response.off('close', this.#onClose);
    onHead();
    const { socket: caller, head } = upgrade();
    this.#caller = caller;
    const lines = [`HTTP/1.1 101 ${statusMessage}`];
    for (let index = 0; index < rawHeaders.length; index += 2) {
      lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`);
    }
    caller.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    caller.write(first);
    socket.write(head);
    const end = (): void => {
      caller.destroy();
      socket.destroy();
      this.#finish('answered');
    };
    for (const side of [caller, socket]) {
      side.on('error', end);
      side.once('close', end);
    }
    if (caller.destroyed || socket.destroyed) end();
    else caller.pipe(socket).pipe(caller);
  }

  #refuse(response: IncomingMessage): void {
    const { response: own, onHead } = this.#wish;
    const { statusCode = 502, headers } = response;
    if (statusCode === misdirected) {
      response.resume();
      this.#finish('moved');
      return;
    }
    onHead();
    own.writeHead(statusCode, passedResponseHeaders(headers));
    response.on('error', () => own.destroy());
    for (const end of ['finish', 'close']) own.once(end, () => this.#finish('answered'));
    response.pipe(own);
  }

  readonly #onClose = (): void => this.abort(callerHasLeft());

  #finish(outcome: PassOutcome): void {
    this.#wish.response.off('close', this.#onClose);
    this.#settle(outcome);
  }
}
