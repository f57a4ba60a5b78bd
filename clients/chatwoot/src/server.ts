import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Bridge } from './bridge/bridge.ts';
import type { ChatwootEvent } from './chatwoot/payloads.ts';
import { isSame, isSigned } from './chatwoot/verify-webhook.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';

const maxBodyBytes = 5 * 1024 * 1024;

/** What Chatwoot and a monitor call: `POST /webhook`, or `POST /webhook/TOKEN`, and `GET /health`. */
export async function startServer({
  config,
  bridge,
  log,
}: {
  config: Config;
  bridge: Bridge;
  log: Log;
}): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    answer(request, { config, bridge })
      .catch((error: unknown) => {
        // It is not recorded: Chatwoot shows the agent that the message has failed, and the next look finds it.
        log('error', 'a webhook could not be taken', {
          reason: error instanceof Error ? error.message : String(error),
        });
        return { status: 500, body: {} };
      })
      .then(({ status, body }) => end(response, status, body))
      .catch(() => response.destroy());
  });
  server.listen(config.port, config.host);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

async function answer(
  request: IncomingMessage,
  { config, bridge }: { config: Config; bridge: Bridge },
): Promise<{ status: number; body: object }> {
  const path = (request.url ?? '').split('?')[0] ?? '';
  if (request.method === 'GET' && path === '/health') {
    const status = bridge.status();
    return { status: status.isListening ? 200 : 503, body: status };
  }
  if (request.method !== 'POST' || !/^\/webhook(\/|$)/.test(path)) return { status: 404, body: {} };
  const body = await bodyOf(request);
  if (body === undefined) return { status: 413, body: {} };
  if (!isFromChatwoot(request, path, { config, body })) return { status: 401, body: {} };
  let event: ChatwootEvent;
  try {
    event = JSON.parse(body.toString('utf8')) as ChatwootEvent;
  } catch {
    return { status: 400, body: {} };
  }
  bridge.take(event);
  return { status: 200, body: {} };
}

function isFromChatwoot(
  request: IncomingMessage,
  path: string,
  { config, body }: { config: Config; body: Buffer },
): boolean {
  const { webhookSecret, webhookToken } = config;
  if (webhookToken !== undefined && isSame(`/webhook/${webhookToken}`, path)) return true;
  if (webhookSecret === undefined) return false;
  const header = (name: string): string => String(request.headers[name] ?? '');
  const signed = { timestamp: header('x-chatwoot-timestamp'), signature: header('x-chatwoot-signature') };
  return isSigned(body, signed, { secret: webhookSecret, nowMs: Date.now() });
}

/** Undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
  }
  return size > maxBodyBytes ? undefined : Buffer.concat(chunks);
}

function end(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
