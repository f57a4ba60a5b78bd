import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../measurement.ts';
import { type ChildProgram, roomyHeap, startProgram } from '../support/child-program.ts';
import { ann, type Credentials, logIn, withLiveGateway } from '../support/live-gateway.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/**
 * A big document through the gateway, which fetches it from a URL first, against the client library alone that uploads the
 * same file from disk, with as many parts at a time. The library is given the heap with which it is fast every time; the
 * gateway has the one that it starts with, after a full collection. Both have sent such a file before it counts, and take
 * turns.
 */
const fileBytes = 100 * 1024 * 1024;
const smallBytes = 1024 * 1024;
const partsAtOnce = 6;
const runs = 5;
/** Often enough to see how much memory it takes at its most. */
const lookEveryMs = 20;

interface Run {
  gatewayMs: number;
  bareMs: number;
  mostBytes: number;
}

const { before, measured, most } = await inTemporaryFolder(async (folder) => {
  const path = join(folder, 'document.bin');
  const document = randomBytes(fileBytes);
  await writeFile(path, document);
  // From memory: what it takes to serve the file is not what is measured, and the cores are shared.
  const files = createServer((request, response) => {
    response.end(request.url === '/small' ? document.subarray(0, smallBytes) : document);
  });
  await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
  const filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  try {
    return await withLiveGateway(
      async (live) => {
        const { gateway, sandbox } = live;
        const headers = await logIn(live, ann);
        const account = { BARE_SANDBOX: sandbox.url, BARE_USER: '1003' };
        const bare = await startProgram('bench/programs/bare-client', account, roomyHeap);
        try {
          const upload = (): Promise<void> => uploadBare(bare, path);
          // Code is loaded and connections are there before it counts; the memory of a big file is not.
          await send(gateway, headers, `${filesUrl}/small`);
          await upload();
          const memory = await gateway.usage('memory');
          const firstBytes = await mostMemory(gateway, send(gateway, headers, `${filesUrl}/big`));
          const all: Run[] = [];
          for (let run = 0; run < runs; run++) all.push(await measure(gateway, headers, filesUrl, upload));
          return {
            before: memory.rssBytes,
            measured: all,
            most: Math.max(firstBytes, ...all.map(({ mostBytes }) => mostBytes)),
          };
        } finally {
          await bare.end();
        }
      },
      { ALLOW_PRIVATE_URLS: 'true' },
    );
  } finally {
    files.close();
  }
});

report([
  {
    line: '100 MB document, fetched and uploaded through the gateway: speed ÷ uploadFile of bare GramJS',
    value: median(measured.map(({ gatewayMs, bareMs }) => bareMs / gatewayMs)),
    unit: '×',
    bar: { atLeast: 0.85 },
    detail:
      `${inSeconds('gatewayMs')} s against ${inSeconds('bareMs')} s for the upload alone, ` +
      `${partsAtOnce} parts at a time, same speed-ups; median of ${runs}`,
  },
  {
    line: '100 MB document through the gateway: growth of its RSS',
    value: (most - before) / 1024 / 1024,
    unit: 'MB',
    bar: { atMost: 60 },
    detail: `the most of ${runs + 1} documents, looked at every ${lookEveryMs} ms; ${inMb(before)} MB before`,
  },
]);

async function measure(
  gateway: ChildProgram,
  headers: Credentials,
  filesUrl: string,
  upload: () => Promise<void>,
): Promise<Run> {
  const sendBig = (): Promise<void> => send(gateway, headers, `${filesUrl}/big`);
  const gatewayMs = await timed(sendBig);
  const bareMs = await timed(upload);
  // By itself: looking takes time as well.
  return { gatewayMs, bareMs, mostBytes: await mostMemory(gateway, sendBig()) };
}

/** How much memory it takes at its most while the work is done, in bytes. */
async function mostMemory(program: ChildProgram, work: Promise<unknown>): Promise<number> {
  let highest = 0;
  const done = work.then(() => true);
  for (let isDone = false; !isDone; ) {
    highest = Math.max(highest, (await program.usage('cpu')).rssBytes);
    isDone = await Promise.race([done, sleep(lookEveryMs, false)]);
  }
  return highest;
}

async function send(gateway: ChildProgram, headers: Credentials, url: string): Promise<void> {
  const document = { url, name: 'document.bin', size: fileBytes, mimetype: 'application/octet-stream' };
  const response = await fetch(`${gateway.url}/message`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'bob', type: 'document', document }),
  });
  if (!response.ok) throw new Error(await response.text());
}

async function uploadBare(bare: ChildProgram, path: string): Promise<void> {
  const query = new URLSearchParams({ path, inFlight: String(partsAtOnce) });
  const response = await fetch(`${bare.url}/upload?${query.toString()}`, { method: 'POST' });
  if (!response.ok) throw new Error('the bare client did not upload');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

function inSeconds(of: 'gatewayMs' | 'bareMs'): string {
  return (median(measured.map((run) => run[of])) / 1000).toFixed(2);
}

function inMb(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(0);
}
