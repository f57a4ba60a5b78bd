import type { IncomingMessage } from 'node:http';
import type { StatelyInspectionEvent } from '@statelyai/inspect';
import { type ClientOptions, WebSocket } from 'ws';

/** What is looked at in the protocol's messages, without their optional parts. */
export interface Message {
  type: '@xstate.actor' | '@xstate.event' | '@xstate.snapshot';
  sessionId: string;
  rootId: string;
  createdAt: string;
  _version: string;
  name?: string;
  definition?: string;
  event?: { type: string; fact: string; seq: number; [detail: string]: unknown };
  snapshot?: { value: string; status: string; context: { login: number } };
}

export const asMessage = (event: StatelyInspectionEvent): Message => event as unknown as Message;

/** `actor qrPending`, `QrIssued 2`, `→ qrPending`: a message in a word or two. */
export function inShort({ type, event, snapshot }: Message): string {
  if (type === '@xstate.actor') return `actor ${snapshot?.value}`;
  return type === '@xstate.event' ? `${event?.fact} ${event?.seq}` : `→ ${snapshot?.value}`;
}

/** What came of asking for a WebSocket: a connection, or a refusal. */
export interface Looking {
  socket: WebSocket;
  messages: Message[];
  /** Of the messages of one session. */
  of: (id: string) => string[];
  /** Resolves when it is so, as messages come. */
  until: (isSo: () => boolean) => Promise<void>;
  /** The code and the reason of the end. */
  ended: Promise<{ code: number; reason: string }>;
}

export interface Refusal {
  status: number | undefined;
  body: unknown;
}

export function look(url: string, protocols: string[] = [], options: ClientOptions = {}): Promise<Looking | Refusal> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), protocols, options);
  const messages: Message[] = [];
  const waiting = new Set<() => void>();
  socket.on('message', (bytes: Buffer) => {
    messages.push(JSON.parse(bytes.toString()) as Message);
    for (const check of waiting) check();
  });
  const ended = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.once('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  const looking: Looking = {
    socket,
    messages,
    ended,
    of: (id) => messages.filter(({ sessionId }) => sessionId === id).map(inShort),
    until: (isSo) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!isSo()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(looking));
    socket.on('error', reject);
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) as unknown }));
    });
  });
}

/** @throws where it was refused */
export async function lookOn(...asked: Parameters<typeof look>): Promise<Looking> {
  const looking = await look(...asked);
  if ('status' in looking) throw new Error(JSON.stringify(looking));
  return looking;
}

/** @throws where it was let in */
export async function refused(...asked: Parameters<typeof look>): Promise<Refusal> {
  const looking = await look(...asked);
  if ('status' in looking) return looking;
  looking.socket.terminate();
  throw new Error('nobody refused');
}
