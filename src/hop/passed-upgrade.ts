import { type ClientRequest, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import type { ClusterNode } from '../cluster/cluster.ts';
import { passedResponseHeaders } from './passed-headers.ts';
import { misdirected, type Passed, type PassOutcome } from './passed-request.ts';

/** Takes the caller's connection away from its response, once the other node has opened the WebSocket. */
export type UpgradeTaker = () => { socket: Duplex; head: Buffer };

export interface UpgradeRequest {
  path: string;
  /** Without those of the connection. */
  headers: readonly string[];
  /** For a refusal. */
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
  readonly #wish: UpgradeRequest;
  readonly #request: ClientRequest;
  #settle!: (outcome: PassOutcome) => void;
  #hasConnected = false;
  #caller: Duplex | undefined;

  constructor({ url }: Pick<ClusterNode, 'url'>, wish: UpgradeRequest) {
    this.#wish = wish;
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const address = urlToHttpOptions(new URL(url));
    const headers = [...wish.headers, 'connection', 'Upgrade', 'upgrade', 'websocket'];
    const options = { ...address, path: wish.path, headers, agent: false } as const;
    this.#request = address.protocol === 'https:' ? requestHttps(options) : requestHttp(options);
    this.#request.once('socket', (socket) => {
      socket.once('connect', () => {
        this.#hasConnected = true;
      });
    });
    this.#request.once('upgrade', (response, socket, head) => this.#join(response, socket, head));
    this.#request.once('response', (response) => this.#refuse(response));
    this.#request.once('error', () => this.#settle(this.#hasConnected ? 'lost' : 'unreached'));
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
      this.#settle('answered');
    };
    for (const side of [caller, socket]) {
      side.on('error', end);
      side.once('close', end);
    }
    caller.pipe(socket).pipe(caller);
  }

  #refuse(response: IncomingMessage): void {
    const { response: own, onHead } = this.#wish;
    const { statusCode = 502, headers } = response;
    if (statusCode === misdirected) {
      response.resume();
      this.#settle('moved');
      return;
    }
    onHead();
    own.writeHead(statusCode, passedResponseHeaders(headers));
    response.on('error', () => own.destroy());
    for (const end of ['finish', 'close']) own.once(end, () => this.#settle('answered'));
    response.pipe(own);
  }

  readonly #onClose = (): void => void this.#request.destroy(new Error('the caller has left'));
}
