import type { SocketOptions, WebSocketClass, WebSocketLike } from '../calls/call-options.ts';
import { type Caller, type Given, queryOf, requestOf } from '../calls/request-of.ts';
import { backoffMs, wait } from '../calls/retry.ts';
import { GatewayError, SessionNotFoundError } from '../errors/errors.ts';
import { isPassing } from './read-stream.ts';

interface Numbered {
  seq?: number;
}

/**
 * What a WebSocket sends, over broken connections and restarts of the gateway. An event is acknowledged when the next one is
 * asked for: a program that starts again begins behind the last event that it has dealt with. Ends with the session.
 * @throws {GatewayError} if the gateway refuses it; the reason of the signal
 */
export async function* readSocket(
  caller: Caller,
  path: string,
  request: Given,
  { signal, ...options }: SocketOptions,
): AsyncGenerator {
  const WebSocketClass = options.WebSocket ?? nativeWebSocket();
  const { baseUrl, headers } = caller.transport;
  let after = request['after'];
  let isOpened = false;
  for (let failures = 0; ; failures += 1) {
    signal?.throwIfAborted();
    const url = `${baseUrl.replace(/^http/, 'ws')}${path}${queryOf({ ...request, after })}`;
    const socket = new WebSocketClass(url, { headers: { ...headers, ...caller.headers } });
    const inbox = inboxOf(socket, signal);
    try {
      for (let text = await inbox.next(); text !== undefined; text = await inbox.next()) {
        const event = JSON.parse(text) as Numbered;
        yield event;
        failures = 0;
        if (event.seq === undefined) continue;
        after = event.seq;
        socket.send(JSON.stringify({ ack: event.seq }));
      }
    } finally {
      inbox.close();
    }
    signal?.throwIfAborted();
    isOpened ||= inbox.hasOpened();
    const fault = inbox.hasOpened() ? undefined : await refusal(caller, path, { ...request, after }, signal);
    if (isOpened && fault instanceof SessionNotFoundError) return;
    if (fault && !(isOpened && isPassing(fault))) throw fault;
    await wait(backoffMs(failures), signal);
  }
}

/** Browsers send no headers with a WebSocket, and Node 20 has none. */
function nativeWebSocket(): WebSocketClass {
  const { WebSocket, document } = globalThis as { WebSocket?: WebSocketClass; document?: unknown };
  if (WebSocket && document === undefined) return WebSocket;
  throw new GatewayError({ code: 'websocket_missing', status: 0, reason: 'a WebSocket with headers is needed' });
}

/** A WebSocket that was refused does not say why: the same request without one does. Undefined if that is all it lacks. */
async function refusal(caller: Caller, path: string, given: Given, signal?: AbortSignal): Promise<unknown> {
  try {
    return await caller.transport.json(requestOf(caller, { method: 'GET', path, mark: '' }, given, { signal }));
  } catch (error) {
    return error instanceof GatewayError && error.code === 'upgrade_required' ? undefined : error;
  }
}

interface Inbox {
  /** The next message; undefined once the connection has ended. */
  next(): Promise<string | undefined>;
  hasOpened(): boolean;
  close(): void;
}

function inboxOf(socket: WebSocketLike, signal: AbortSignal | undefined): Inbox {
  const messages: string[] = [];
  const is = { open: false, ended: false };
  let wake = (): void => {};
  const end = (): void => {
    is.ended = true;
    wake();
  };
  socket.addEventListener('open', () => {
    is.open = true;
  });
  socket.addEventListener('message', ({ data }) => {
    messages.push(String(data));
    wake();
  });
  socket.addEventListener('close', end);
  socket.addEventListener('error', end);
  signal?.addEventListener('abort', end, { once: true });
  return {
    async next() {
      while (messages.length === 0 && !is.ended) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return signal?.aborted ? undefined : messages.shift();
    },
    hasOpened: () => is.open,
    close() {
      signal?.removeEventListener('abort', end);
      socket.close();
    },
  };
}
