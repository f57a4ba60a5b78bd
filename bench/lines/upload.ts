import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median, report } from '../measurement.ts';
import { ann, cara } from '../support/accounts.ts';
import { logInBare, withBareClients } from '../support/bare-clients.ts';
import { type ChildProgram, roomyHeap } from '../support/child-program.ts';
import { jsonCall } from '../support/json-call.ts';
import { type Credentials, logIn, withLiveGateway } from '../support/live-gateway.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/**
 * A big document through the gateway, which fetches it from a URL first, against GramJS alone that uploads the same file
 * from disk with as many parts in flight. GramJS has the heap with which it is always fast; the gateway has the heap that
 * it starts with. Both have sent such a file before it counts, and they take turns.
 */
const fileBytes = 100 * 1024 * 1024;
const smallBytes = 1024 * 1024;
const partsInFlight = 6;
const runs = 5;
/** Short enough to see the peak of the memory. */
const sampleEveryMs = 20;

interface Measured {
  before: number;
  measured: Run[];
  /** Of all runs, and of the first document. */
  peak: number;
}

interface Run {
  gatewayMs: number;
  bareMs: number;
  peakBytes: number;
}

const { before, measured, peak } = await inTemporaryFolder(async (folder) => {
  const path = join(folder, 'document.bin');
  const document = randomBytes(fileBytes);
  await writeFile(path, document);
  // Served from memory: the cores are shared, and serving the file is not what is measured.
  const files = createServer((request, response) => {
    response.end(request.url === '/small' ? document.subarray(0, smallBytes) : document);
  });
  await new Promise<void>((resolve) => void files.listen(0, '127.0.0.1', resolve));
  const filesUrl = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  try {
    return await withLiveGateway(
      (live) => {
        const { gateway, sandbox } = live;
        const work = async (gramjs: ChildProgram): Promise<Measured> => {
          const headers = await logIn(live, ann);
          await logInBare(gramjs, sandbox, [cara]);
          const upload = (): Promise<void> => gramjs.command('upload', { path, partsInFlight });
          // Code is loaded and connections are open before it counts; the memory of a big file is not allocated yet.
          await send(gateway, headers, `${filesUrl}/small`);
          await upload();
          const memory = await gateway.usage('memory');
          const firstBytes = await peakMemory(gateway, send(gateway, headers, `${filesUrl}/big`));
          const all: Run[] = [];
          for (let run = 0; run < runs; run++) all.push(await measure(gateway, headers, filesUrl, upload));
          return {
            before: memory.rssBytes,
            measured: all,
            peak: Math.max(firstBytes, ...all.map(({ peakBytes }) => peakBytes)),
          };
        };
        return withBareClients('gramjs', sandbox, work, roomyHeap);
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
      `${partsInFlight} parts in flight, same speed-ups; median of ${runs}`,
  },
  {
    line: '100 MB document through the gateway: growth of its RSS',
    value: (peak - before) / 1024 / 1024,
    unit: 'MB',
    bar: { atMost: 60 },
    detail: `peak of ${runs + 1} documents, sampled every ${sampleEveryMs} ms; ${inMb(before)} MB before`,
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
  // A document of its own: sampling takes time as well.
  return { gatewayMs, bareMs, peakBytes: await peakMemory(gateway, sendBig()) };
}

/** Peak of the resident memory while the work is done, in bytes. */
async function peakMemory(program: ChildProgram, work: Promise<unknown>): Promise<number> {
  let highest = 0;
  const done = work.then(() => true);
  for (let isDone = false; !isDone; ) {
    highest = Math.max(highest, (await program.usage('cpu')).rssBytes);
    isDone = await Promise.race([done, sleep(sampleEveryMs, false)]);
  }
  return highest;
}

async function send(gateway: ChildProgram, headers: Credentials, url: string): Promise<void> {
  const document = { url, name: 'document.bin', size: fileBytes, mimetype: 'application/octet-stream' };
  await jsonCall('POST', `${gateway.url}/message`, { headers, body: { username: 'bob', type: 'document', document } });
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
