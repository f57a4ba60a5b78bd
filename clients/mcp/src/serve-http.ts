import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';

export interface HttpOptions {
  createServer: () => McpServer;
  host: string;
  /** 0: any that is free. */
  port: number;
  /** What clients send as `Authorization: Bearer …`. */
  token: string;
  /** Hosts of pages that may call the server from a browser, besides this machine. */
  allowedOrigins: readonly string[];
  onError: (error: Error) => void;
}

export interface HttpServing {
  /** Where clients reach it: `http://127.0.0.1:3100/mcp`. */
  url: string;
  /** Ends open requests, then the server. */
  close: () => Promise<void>;
}

/** The path of the endpoint. */
const endpoint = '/mcp';
const thisMachine = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Streamable HTTP. Each request stands for itself, of clients of the older protocol too: there is no session on the server
 * that could be taken over, left open, or lost with a restart.
 */
export async function serveOverHttp(options: HttpOptions): Promise<HttpServing> {
  const { createServer, host, port, token, allowedOrigins, onError } = options;
  const mcp = createMcpHandler(createServer, { onerror: onError });
  const handle = toNodeHandler(mcp, { onerror: onError });
  const isFromAllowedPage = originValidation([...thisMachine, ...allowedOrigins]);
  // A name of elsewhere that leads to this machine is a page's attempt to reach it (DNS rebinding).
  const isForThisMachine = isLoopback(host) ? hostHeaderValidation(thisMachine) : () => true;
  const isToken = tokenCheck(token);

  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!isForThisMachine(request, response) || !isFromAllowedPage(request, response)) return;
    if (new URL(request.url ?? '/', 'http://server').pathname !== endpoint) {
      refuse(response, 404, `the endpoint is ${endpoint}`);
    } else if (isToken(request.headers.authorization)) {
      handle(request, response).catch(onError);
    } else {
      response.setHeader('www-authenticate', 'Bearer');
      refuse(response, 401, 'the bearer token is missing or wrong');
    }
  };
  const server = createHttpServer(answer).listen(port, host);
  await once(server, 'listening');
  return {
    url: urlOf(server.address() as AddressInfo),
    async close() {
      const closed = once(server, 'close');
      server.close();
      await mcp.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** `localhost` and all that leads to it. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
function tokenCheck(token: string): (authorization: string | undefined) => boolean {
  const expected = sha256(token);
  return (authorization = '') => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    return given !== undefined && timingSafeEqual(sha256(given), expected);
  };
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}${endpoint}`;
}
