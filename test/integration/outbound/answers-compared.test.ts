import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, createSeededRandomness } from '../../support/kit/clock.ts';

/** Answers are made of these, one of each, and then changed at random: a piece comes in, and often a letter goes. */
const parts: readonly (readonly string[])[] = [
  ['HTTP/1.1 200 OK', 'HTTP/1.0 200 OK', 'HTTP/1.1 204', 'HTTP/1.1 404 Not Found', 'HTTP/1.1 503 '],
  ['', '\r\ncontent-length: 2', '\r\nContent-Length:2 ', '\r\ntransfer-encoding: chunked', '\r\nretry-after: 5'],
  ['', '\r\nconnection: close', '\r\nx-empty:', '\r\nset-cookie: a=b; c', '\r\ncontent-length: 2'],
  ['\r\n\r\n'],
  ['', 'ok', '2\r\nok\r\n0\r\n\r\n', 'ok and more'],
];
const inserted = ['\r', '\n', '\r\n', ' ', '\t', ':', '0', '1', 'x', '\0', '\x7f', '\xe4', ',', ';', 'HTTP/1.1 '];
const count = 1_000;

const clock = createDrivenClock();
const random = createSeededRandomness(7, clock);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random.fraction() * list.length)] as T;

/** The next answer, once for each of the two clients. */
let answer = '';
const server = createServer((socket) => {
  socket.on('error', () => {}).once('data', () => socket.end(answer, 'latin1'));
});
let url: string;
let outbound: Outbound;

beforeAll(async () => {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  outbound = createOutbound({ clock, allowPrivate: true });
});

afterAll(async () => {
  await outbound.close();
  server.close();
});

it('[WH4] an answer is what it is to Node’s own client, or is refused', async () => {
  let taken = 0;
  let agreed = 0;
  for (let index = 0; index < count; index += 1) {
    const changes = index % 4;
    answer = changed(parts.map(pick).join(''), changes);
    const [ours, nodes] = await Promise.all([byOurs(), byNode()]);
    // Node's is lenient where nothing depends on it, and strict about a tab behind a length.
    const mayDiffer = changes > 0 && (ours === undefined || answer.includes('\t'));
    if (!mayDiffer) expect({ answer, status: ours }).toEqual({ answer, status: nodes });
    if (ours === nodes) agreed += 1;
    if (ours !== undefined) taken += 1;
  }
  expect(agreed).toBeGreaterThan(count * 0.98);
  expect(taken).toBeGreaterThan(count / 5);
  expect(taken).toBeLessThan((count * 4) / 5);
});

function changed(text: string, times: number): string {
  if (times === 0) return text;
  const at = Math.floor(random.fraction() * text.length);
  const without = random.fraction() < 0.5 ? 1 : 0;
  return changed(text.slice(0, at) + pick(inserted) + text.slice(at + without), times - 1);
}

/** The status, or undefined where there is none. */
async function byOurs(): Promise<number | undefined> {
  try {
    return (await outbound.post(url, { body: '', headers: {}, timeoutMs: 10_000 })).status;
  } catch {
    return undefined;
  }
}

function byNode(): Promise<number | undefined> {
  return new Promise((resolve) => {
    request(url, { method: 'POST', agent: false }, (response) => {
      response.on('error', () => {}).resume();
      resolve(response.statusCode);
    })
      .on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(undefined);
      })
      .on('error', () => resolve(undefined))
      .end();
  });
}
