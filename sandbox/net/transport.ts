import type { Socket } from 'node:net';
import { ByteQueue } from './byte-queue.ts';
import { type DetectedTransport, detectTransport } from './detect-transport.ts';
import { createFakeTls, type FakeTls } from './fake-tls.ts';
import type { MtproxySecret } from './mtproxy-secret.ts';

/** A client that sends calls without reading the answers is cut off at this size of unsent data. */
const MAX_UNSENT_BYTES = 64 << 20;

export interface TransportEvents {
  packet(packet: Buffer): void;
  /** The client has closed its end: it sends nothing more. What is under way to it still leaves. */
  ended(): void;
  closed(): void;
}

export interface Transport {
  readonly name: string | undefined;
  /** The data centre that the header of an obfuscated connection names. */
  readonly headerDc: number | undefined;
  send(packet: Buffer): void;
  /** Sends a transport error: -404 unknown key, -429 too many connections, -444 wrong data centre. */
  sendError(code: number): void;
  /** Resets the connection. */
  cut(): void;
  /** Closes the connection after the unsent data. */
  end(): void;
}

/**
 * Packets over a TCP connection, in whichever transport its client uses. `proxy`: the connection goes to an MTProxy with
 * this secret. Unreadable bytes reset the connection.
 */
export function createTransport(socket: Socket, events: TransportEvents, proxy?: MtproxySecret): Transport {
  const disguise = proxy?.domain === undefined ? undefined : createFakeTls(proxy.bytes);
  let queue = new ByteQueue();
  let detected: DetectedTransport | undefined;
  let open = true;

  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('end', () => events.ended());
  socket.on('close', () => {
    open = false;
    events.closed();
  });
  socket.on('data', (chunk) => {
    try {
      receive(disguise ? undisguised(disguise, chunk) : chunk);
    } catch {
      cut();
    }
  });

  function undisguised(tls: FakeTls, chunk: Buffer): Buffer {
    const { plain, answer } = tls.receive(chunk);
    if (answer.length > 0) socket.write(answer);
    return plain;
  }

  function receive(chunk: Buffer): void {
    queue.push(detected?.obfuscation ? detected.obfuscation.decrypt(chunk) : chunk);
    if (!detected) {
      detected = detectTransport(queue, proxy?.bytes);
      if (!detected) return;
      if (detected.obfuscation) queue = decrypted(queue, detected.obfuscation.decrypt);
    }
    for (;;) {
      const packet = open ? detected.framing.takePacket(queue) : undefined;
      if (!packet) return;
      events.packet(packet);
    }
  }

  function send(packet: Buffer): void {
    if (!open || !detected) return;
    const frame = detected.framing.frame(packet);
    const bytes = detected.obfuscation ? detected.obfuscation.encrypt(frame) : frame;
    socket.write(disguise ? disguise.wrap(bytes) : bytes);
    if (socket.writableLength > MAX_UNSENT_BYTES) cut();
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

/** The bytes that followed the header in the same chunk are encrypted too. */
function decrypted(queue: ByteQueue, decrypt: (bytes: Buffer) => Buffer): ByteQueue {
  const rest = new ByteQueue();
  rest.push(decrypt(queue.take(queue.length) ?? Buffer.alloc(0)));
  return rest;
}
