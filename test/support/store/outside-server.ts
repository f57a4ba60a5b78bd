import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * A KurrentDB server in another process needs time to answer, not turns of this process's event loop. Its connections are
 * watched here, so that a test whose clock is driven waits for what is under way there.
 */
const ports = portsOf(process.env['KURRENTDB_TEST_URL']);

/** After this long without a byte from the server, everything that it pushes by itself has arrived. */
const quietMs = 30;
/** What was written and not answered may be one of HTTP/2's own frames: it is not waited for longer. */
const maxUnansweredMs = 300;
const lookMs = 5;

interface Watched {
  socket: Socket;
  read: number;
  written: number;
  /** When the last byte was read, and the last one written, as `performance.now()` has it. */
  readAt: number;
  writtenAt: number;
}

const watched = new Set<Watched>();

if (ports.size > 0) watchConnections();

/**
 * Resolves when the server has answered and nothing more comes: at once if no such server is given.
 * @returns whether anything was under way
 */
export async function settleOutside(): Promise<boolean> {
  let hasWaited = false;
  for (; isBusy(); hasWaited = true) await pause(lookMs);
  return hasWaited;
}

function isBusy(): boolean {
  const now = performance.now();
  for (const each of watched) look(each, now);
  return [...watched].some(({ readAt, writtenAt }) => {
    const isUnanswered = writtenAt > readAt && now - writtenAt < maxUnansweredMs;
    return isUnanswered || now - readAt < quietMs;
  });
}

function look(each: Watched, now: number): void {
  const { socket, read, written } = each;
  if (socket.bytesRead > read) each.readAt = now;
  // An answer may have come since the last look, too: it came later.
  if (socket.bytesWritten > written && socket.bytesRead === read) each.writtenAt = now;
  [each.read, each.written] = [socket.bytesRead, socket.bytesWritten];
}

/** A socket over TLS is one as well. */
function watchConnections(): void {
  const prototype = Socket.prototype as { connect: (this: Socket, ...asked: unknown[]) => Socket };
  const { connect } = prototype;
  prototype.connect = function watch(...asked) {
    const [options] = (Array.isArray(asked[0]) ? asked[0] : asked) as [{ port?: number | string } | undefined];
    if (ports.has(Number(options?.port))) {
      const now = performance.now();
      const each: Watched = { socket: this, read: 0, written: 0, readAt: now, writtenAt: now };
      watched.add(each);
      this.once('close', () => watched.delete(each));
    }
    return connect.apply(this, asked);
  };
}

function portsOf(url = ''): Set<number> {
  const [, hosts = ''] = /\/\/(?:[^@/?]*@)?([^/?]*)/.exec(url) ?? [];
  return new Set(hosts === '' ? [] : hosts.split(',').map((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? 2113)));
}
