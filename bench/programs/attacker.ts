import { connect, type Socket } from 'node:net';
import { attackFiles, serveAttackFiles } from '../support/attack-files.ts';
import { handleCommands, ready } from '../support/commands.ts';
import type { Credentials } from '../support/live-gateway.ts';
import { repeat } from '../support/repeat.ts';

/** What an attacker has: a session of its own, and a link that it was given. */
export interface AttackTarget {
  gateway: string;
  session: Credentials;
  link: string;
}

export type AttackName = 'pictures' | 'stalled videos' | 'slow viewers' | 'event streams' | 'markdown';

const largePictures = 8;
const stalledVideos = 200;
const slowViewers = 600;
const eventStreams = 3_000;
const markdownCallers = 8;
const markdownBytes = 240 * 1024;

const files = await serveAttackFiles();
let stop = new AbortController();
let sockets: Socket[] = [];
let attack: Promise<unknown> = Promise.resolve();
let statuses: Record<string, number> = {};
const count = (status: number | string): void => {
  statuses[status] = (statuses[status] ?? 0) + 1;
};

handleCommands({
  /** Begins an attack, which goes on until `end`. */
  begin({ name, target }: { name: AttackName; target: AttackTarget }): void {
    stop = new AbortController();
    attack = attacks[name](target);
  },
  /** Ends it. @returns how often its requests were answered with which status */
  async end(): Promise<Record<string, number>> {
    stop.abort();
    for (const socket of sockets.splice(0)) socket.destroy();
    await attack;
    const counted = statuses;
    statuses = {};
    return counted;
  },
});

const attacks: Record<AttackName, (target: AttackTarget) => Promise<unknown>> = {
  pictures: (target) => repeat(largePictures, largePictures, () => send(target, picture(attackFiles.large))),
  'stalled videos': (target) =>
    repeat(stalledVideos, stalledVideos, () =>
      send(target, { type: 'video', video: { url: files + attackFiles.stalling, mimetype: 'video/mp4', duration: 1 } }),
    ),
  'slow viewers': ({ link }) => repeat(slowViewers, slowViewers, () => openWithoutReading(link, {})),
  'event streams': ({ gateway, session }) =>
    repeat(eventStreams, eventStreams, () => openWithoutReading(`${gateway}/session/stream`, { ...session })),
  markdown: (target) =>
    repeat(markdownCallers, markdownCallers, async () => {
      const text = '**a** _b_ '.repeat(markdownBytes / 10);
      while (!stop.signal.aborted) await send(target, { type: 'text', text, parseMode: 'markdown' });
    }),
};

const picture = (path: string): object => ({ type: 'image', image: { url: files + path, mimetype: 'image/jpeg' } });

async function send({ gateway, session }: AttackTarget, body: object): Promise<void> {
  try {
    const response = await fetch(`${gateway}/message`, {
      method: 'POST',
      headers: { ...session, 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'bob', ...body }),
      signal: stop.signal,
    });
    await response.arrayBuffer();
    count(response.status);
  } catch {
    count('broken off');
  }
}

/** Asks, and reads no more than the status of the answer. */
function openWithoutReading(url: string, headers: Record<string, string>): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.once('error', () => resolve());
    socket.once('close', () => resolve());
    socket.once('connect', () => {
      const lines = Object.entries({ host: hostname, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`);
    });
    socket.once('data', (head: Buffer) => {
      count(head.toString('latin1', 9, 12));
      socket.pause();
      resolve();
    });
  });
}
ready(files);
