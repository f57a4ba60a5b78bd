import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Payload } from '../../../src/webhook/payload/payloads.ts';
import { EnvelopeStream } from '../kit/envelope-stream.ts';
import { pollMs, until } from './writing-people.ts';

/** Readers (EV3) that come back whenever their connection breaks, as programs of callers do. */

/** A reader, with what came to it, in its order. */
export interface ReturningReader {
  readonly received: readonly Payload[];
  /** It has come for the first time. */
  readonly joined: Promise<void>;
  /** It leaves, and does not come back by itself. */
  leave(): Promise<void>;
  /** It comes back. */
  comeBack(): void;
}

interface Reading {
  /** Connects, calls when it has joined, and resolves when the connection has ended. */
  read: (url: string, joined: () => void, signal: AbortSignal) => Promise<void>;
  received: Payload[];
}

/**
 * @param url of the gateway, asked at each connection; undefined while there is none
 * @param query its name and its filter
 */
export function readStream(
  url: () => string | undefined,
  headers: Record<string, string>,
  query: string,
): ReturningReader {
  const received: Payload[] = [];
  return returning(url, {
    received,
    async read(at, joined, signal) {
      const last = Math.max(0, ...received.map(({ seq }) => seq));
      const stream = new EnvelopeStream(at, { ...headers, 'last-event-id': String(last) }, query);
      const ended = stream.ended.catch(() => {}).then(() => true);
      let taken = 0;
      const cut = (): void => void stream.leave().catch(() => {});
      signal.addEventListener('abort', cut);
      for (let isOver = false; !isOver; ) {
        isOver = await Promise.race([ended, pause(pollMs, false)]);
        if (stream.isOpen) joined();
        received.push(...stream.envelopes.slice(taken));
        taken = stream.envelopes.length;
      }
      signal.removeEventListener('abort', cut);
    },
  });
}

/** The same over a WebSocket. It acknowledges what it gets. */
export function readSocket(
  url: () => string | undefined,
  headers: Record<string, string>,
  query: string,
): ReturningReader {
  const received: Payload[] = [];
  return returning(url, {
    received,
    async read(at, joined, signal) {
      const socket = new WebSocket(`${at.replace('http', 'ws')}/session/messages?${query}`, { headers });
      socket.on('error', () => {});
      socket.on('open', joined);
      socket.on('message', (data) => {
        const payload = JSON.parse((data as Buffer).toString()) as Payload;
        received.push(payload);
        socket.send(JSON.stringify({ ack: payload.seq }));
      });
      const cut = (): void => socket.terminate();
      signal.addEventListener('abort', cut);
      // Rejects if the gateway cannot be reached.
      await once(socket, 'close').finally(() => signal.removeEventListener('abort', cut));
    },
  });
}

function returning(url: () => string | undefined, { read, received }: Reading): ReturningReader {
  let stop = new AbortController();
  let hasJoined = false;
  const joined = (): void => {
    hasJoined = true;
  };
  const keepReading = async ({ signal }: AbortController): Promise<void> => {
    while (!signal.aborted) {
      const at = url();
      if (at !== undefined) await read(at, joined, signal).catch(() => {});
      await pause(pollMs);
    }
  };
  let reading = keepReading(stop);
  return {
    received,
    joined: until(() => hasJoined),
    async leave() {
      stop.abort();
      await reading;
    },
    comeBack() {
      stop = new AbortController();
      reading = keepReading(stop);
    },
  };
}
