import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LightAbort } from '../../../actors/kit/light-abort.ts';
import { createOutbound, type Outbound } from '../../../src/outbound/outbound.ts';
import { createDrivenClock, type DrivenClock } from '../../support/kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/kit/temporary-folder.ts';
import { startWebServer, type WebServer } from '../../support/kit/web-server.ts';

const gigabyte = 1024 ** 3;

let clock: DrivenClock;
let server: WebServer;
let outbound: Outbound;
let folder: TemporaryFolder;
let answer: (response: ServerResponse, request: IncomingMessage) => void;
/** The next request's answer, once it has been begun. */
let asked: Promise<ServerResponse>;

beforeEach(async () => {
  clock = createDrivenClock();
  let ask = (_response: ServerResponse): void => {};
  asked = new Promise((resolve) => {
    ask = resolve;
  });
  server = await startWebServer((request, response) => {
    answer(response, request);
    ask(response);
  });
  outbound = createOutbound({ clock, allowPrivate: true });
  folder = await createTemporaryFolder();
});

afterEach(async () => {
  await outbound.close();
  await server.close();
  await folder.remove();
  if (clock.armed() > 0) throw new Error('something still waits');
});

const target = (): string => join(folder.path, 'file');

function download(maxBytes = 2 * gigabyte, signal?: LightAbort): Promise<unknown> {
  const options = signal === undefined ? { sessionId: 'one', maxBytes } : { sessionId: 'one', maxBytes, signal };
  const outcome = outbound.download(`${server.url}/file`, target(), options);
  outcome.catch(() => {});
  return outcome;
}

/** Until the server has the connection's end. */
const closed = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed || response.closed) resolve();
    else response.once('close', resolve);
  });

it('[MS2.1] a file arrives whole, with its size, for its owner alone', async () => {
  const bytes = Buffer.alloc(3_000_001, 'ab');
  answer = (response, request) => {
    expect(request.headers).toMatchObject({ 'accept-encoding': 'identity' });
    response.end(bytes);
  };
  await expect(download()).resolves.toEqual({ path: target(), size: bytes.length });
  expect((await readFile(target())).equals(bytes)).toBe(true);
  expect((await stat(target())).mode & 0o777).toBe(0o600);
});

it('[MS2.2] 3 GB that are claimed are refused at once', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': 3 * gigabyte });
    response.write('x');
  };
  await expect(download()).rejects.toThrow(`it is larger than ${2 * gigabyte} bytes`);
  await closed(await asked);
});

it('[MS2.2] more than the limit is refused when it arrives, whatever was claimed', async () => {
  let sent = 0;
  answer = (response) => {
    const piece = Buffer.alloc(64 * 1024);
    const more = (): void => {
      if (response.destroyed) return;
      sent += piece.length;
      if (response.write(piece)) setImmediate(more);
      else response.once('drain', more);
    };
    more();
  };
  await expect(download(1_000_000)).rejects.toThrow(/^it is larger than 1000000 bytes$/);
  await closed(await asked);
  // An endless body: what it sent beyond the limit is what the buffers on the way held.
  expect(sent).toBeLessThan(50_000_000);
});

it('[MS2.3] a body that is shorter than claimed is no file', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('only this', () => response.destroy());
  };
  await expect(download()).rejects.toThrow(/^the connection was lost$/);
});

it('[MS2.3] a body that is longer than claimed is as long as claimed', async () => {
  answer = (response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfour and more');
  };
  await expect(download()).resolves.toMatchObject({ size: 4 });
  expect(await readFile(target(), 'utf8')).toBe('four');
});

it('[MS2.3] chunks that break off are no file', async () => {
  answer = (response) => {
    response.socket?.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n');
  };
  await expect(download()).rejects.toThrow(/^the connection was lost$/);
});

it.each([
  ['content-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
  ['content-length: -5\r\n\r\nhello'],
  ['content-length: five\r\n\r\nhello'],
  ['transfer-encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n'],
  [`x-long: ${'x'.repeat(100_000)}\r\n\r\nhello`],
])('[MS2.3] HTTP that is not right is said to be so (%#)', async (rest) => {
  answer = (response) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\n${rest}`);
  };
  await expect(download()).rejects.toThrow(/^(?:it did not answer in proper HTTP|the connection was lost)$/);
});

it.each([
  [204, /^it answered with status 204$/],
  [206, /^it answered with status 206$/],
  [304, /^it answered with status 304$/],
  [404, /^it answered with status 404$/],
  [500, /^it answered with status 500$/],
])('[MS2.3] status %i is no file', async (status, message) => {
  answer = (response) => {
    response.writeHead(status).end();
  };
  await expect(download()).rejects.toThrow(message);
});

it('[MS2.3] an empty file and a redirect to nowhere are refused', async () => {
  answer = (response) => {
    response.end();
  };
  await expect(download()).rejects.toThrow(/^it is empty$/);
  answer = (response) => {
    response.writeHead(301).end();
  };
  await expect(download()).rejects.toThrow(/^it redirects to nowhere$/);
});

it('[MS2.3] what is packed for transport, a bomb perhaps, is not unpacked', async () => {
  answer = (response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000)));
  };
  await expect(download()).rejects.toThrow(/^it is compressed for transport, which was not asked for$/);
});

it('[MS2.3] no server there is said to be so', async () => {
  const { url } = server;
  await server.close();
  await expect(outbound.download(url, target(), { sessionId: 'one', maxBytes: 1 })).rejects.toThrow(
    /^could not connect to it$/,
  );
  await expect(
    outbound.download(url.replace('http', 'https'), target(), { sessionId: 'one', maxBytes: 1 }),
  ).rejects.toThrow(/^could not connect to it$/);
});

it('[MS2.3] a server without TLS is said to be so', async () => {
  const outcome = outbound.download(server.url.replace('http', 'https'), target(), { sessionId: 'one', maxBytes: 1 });
  await expect(outcome).rejects.toThrow(/^it does not speak TLS$/);
});

it('[SR1.3] a server that says nothing is given up after 30 s', async () => {
  answer = () => {};
  const outcome = download();
  const response = await asked;
  await clock.advance(30_000);
  await expect(outcome).rejects.toThrow(/^it did not answer in time$/);
  await closed(response);
});

it('[SR1.3] headers that never end do not hold it up either', async () => {
  answer = (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nx: y\r\n');
  };
  const outcome = download();
  await asked;
  await clock.advance(30_000);
  await expect(outcome).rejects.toThrow(/^it did not answer in time$/);
});

it('[SR1.3] a body that stops is given up after 30 s', async () => {
  answer = (response) => {
    response.write('begun');
  };
  const outcome = download();
  const response = await asked;
  await untilWritten(5);
  await clock.advance(30_000);
  await expect(outcome).rejects.toThrow(/^it stopped sending$/);
  await closed(response);
});

it('[SR1.3] [MS6.1] a body that drips is read to its end', async () => {
  answer = (response) => {
    response.write('x');
  };
  const outcome = download();
  const response = await asked;
  for (let size = 1; size < 24; size += 1) {
    await untilWritten(size);
    await clock.advance(10_000);
    response.write('x');
  }
  await untilWritten(24);
  response.end();
  expect(await outcome).toMatchObject({ size: 24 });
});

it('[MS6.1] the caller stops: so does the download, with the reason given', async () => {
  answer = (response) => {
    response.write('begun');
  };
  const stop = new LightAbort();
  const outcome = download(gigabyte, stop);
  const response = await asked;
  await untilWritten(5);
  stop.abort(new Error('no longer wanted'));
  await expect(outcome).rejects.toThrow(/^no longer wanted$/);
  await closed(response);
  await expect(download(gigabyte, stop)).rejects.toThrow(/^no longer wanted$/);
});

/** Until so many bytes have reached the disk: the download waits for the next ones then. */
async function untilWritten(bytes: number): Promise<void> {
  for (;;) {
    const size = await stat(target()).then(
      (found) => found.size,
      () => 0,
    );
    await clock.settle();
    if (size >= bytes) return;
  }
}

it('[SR1.6] ten heads of 1xx may come before the answer', async () => {
  answer = (response) => {
    for (let heads = 0; heads < 10; heads += 1) response.writeProcessing();
    response.end('content');
  };
  expect(await download()).toMatchObject({ size: 7 });
});

it('[SR1.6] heads of 1xx that never end are no answer, and nothing waits for them', async () => {
  let heads = 0;
  answer = (response) => {
    const more = (): void => {
      if (response.destroyed) return;
      heads += 1;
      response.writeProcessing();
      setImmediate(more);
    };
    more();
  };
  await expect(download()).rejects.toThrow('it did not answer in proper HTTP');
  await closed(await asked);
  expect(heads).toBeGreaterThan(10);
});
