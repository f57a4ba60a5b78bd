import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { median, report } from '../measurement.ts';
import { startProgram } from '../support/child-program.ts';
import { withLiveMedia } from '../support/media-link.ts';
import { inTemporaryFolder } from '../support/write-model.ts';

/** A cached file, through its media link, against Fastify's own plugin that serves a file from the disk. */
const bytes = 40 * 1024 * 1024;
const viewsPerRun = 6;
const runs = 9;

interface Times {
  gatewayMs: number;
  staticMs: number;
}

const measured = await inTemporaryFolder(async (folder) => {
  await writeFile(join(folder, 'file.bin'), randomBytes(bytes));
  const server = await startProgram('bench/programs/static-files', { STATIC_FOLDER: folder });
  try {
    return await withLiveMedia(async ({ post, link }) => {
      const url = link(await post(bytes));
      const times: Times[] = [];
      // The first run warms up and fills the cache.
      for (let run = 0; run <= runs; run++) {
        const both = { gatewayMs: await viewAll(url), staticMs: await viewAll(`${server.url}/file.bin`) };
        if (run > 0) times.push(both);
      }
      return times;
    });
  } finally {
    await server.end();
  }
});

report([
  {
    line: 'Throughput of cached media of 40 MB ÷ @fastify/static with a file of the same size',
    value: median(measured.map(({ gatewayMs, staticMs }) => staticMs / gatewayMs)),
    unit: '×',
    bar: { atLeast: 0.6 },
    detail: `${rate('gatewayMs')} ÷ ${rate('staticMs')} MB/s, one viewer`,
  },
]);

function rate(of: keyof Times): string {
  const megabytes = (viewsPerRun * bytes) / 1024 / 1024;
  return ((megabytes / median(measured.map((run) => run[of]))) * 1000).toFixed(0);
}

/** Milliseconds of all views of a run, one after the other. */
async function viewAll(url: string): Promise<number> {
  const begun = performance.now();
  for (let view = 0; view < viewsPerRun; view++) await viewOnce(url);
  return performance.now() - begun;
}

/** With `node:http`: `fetch` is slower than either server. */
function viewOnce(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, (response) => {
      let read = 0;
      response.on('data', (part: Buffer) => {
        read += part.length;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (read === bytes) resolve();
        else reject(new Error(`${response.statusCode}: ${read} bytes instead of ${bytes}`));
      });
    }).on('error', reject);
  });
}
