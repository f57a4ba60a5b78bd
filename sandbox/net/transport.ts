import type { Socket } from 'node:net';
import { ByteQueue } from './byte-queue.ts';
import { type Detected, detectTransport } from './detect-transport.ts';

/** A client that asks and does not read is cut off when this much waits for it. */
const MAX_WAITING_BYTES = 64 << 20;

export interface TransportEvents {
  packet(packet: Buffer): void;
  closed(): void;
}

export interface Transport {
  readonly name: string | undefined;
  /** Of an obfuscated connection: the data centre that its header names. */
  readonly headerDc: number | undefined;
  send(packet: Buffer): void;
  /** A transport error: -404 for a key that is not known, -429 for too much, -444 for a wrong data centre. */
  sendError(code: number): void;
  /** Cuts the connection at once, with a reset. */
  cut(): void;
  /** Sends what waits, then closes. */
  end(): void;
}

/** Packets in and out of a TCP connection, whatever its client has chosen. Bytes that are no packet close it. */
export function createTransport(socket: Socket, events: TransportEvents): Transport {
  let queue = new ByteQueue();
  let detected: Detected | undefined;
  let open = true;

  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('close', () => {
    open = false;
    events.closed();
  });
  socket.on('data', (chunk) => {
    try {
      receive(chunk);
    } catch {
      cut();
    }
  });

  function receive(chunk: Buffer): void {
    queue.push(detected?.obfuscation ? detected.obfuscation.decrypt(chunk) : chunk);
    if (!detected) {
      detected = detectTransport(queue);
      if (!detected) return;
      if (detected.obfuscation) queue = deciphered(queue, detected.obfuscation.decrypt);
    }
    for (;;) {
      const packet = open ? detected.framing.cut(queue) : undefined;
      if (!packet) return;
      events.packet(packet);
    }
  }

  function send(packet: Buffer): void {
    if (!open || !detected) return;
    const frame = detected.framing.frame(packet);
    socket.write(detected.obfuscation ? detected.obfuscation.encrypt(frame) : frame);
    if (socket.writableLength > MAX_WAITING_BYTES) cut();
  }

  function cut(): void {
    open = false;
    socket.resetAndDestroy();
  }

  return {
    get name() {
      return detected?.framing.name;
    },
    get headerDc() {
      return detected?.obfuscation?.dc;
    },
    send,
    sendError(code) {
      const packet = Buffer.alloc(4);
      packet.writeInt32LE(code);
      send(packet);
    },
    cut,
    end: () => socket.end(),
  };
}

/** What came behind the header in the same chunk is enciphered too. */
function deciphered(queue: ByteQueue, decrypt: (bytes: Buffer) => Buffer): ByteQueue {
  const rest = new ByteQueue();
  rest.push(decrypt(queue.take(queue.length) ?? Buffer.alloc(0)));
  return rest;
}
