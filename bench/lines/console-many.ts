import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type CDPSession, chromium } from 'playwright-core';
import { type Measurement, median, report } from '../measurement.ts';
import { startProgram } from '../support/child-program.ts';
import { inTemporaryFolder, masterKey, recordSessions } from '../support/write-model.ts';

/** The console's table of sessions, for an operator with 11,000 of them, of which 100 live. */
const sessionCount = 11_000;
const liveCount = 100;
const runs = 7;
const idleSeconds = 30;
/** Debian's package. */
const executablePath = '/usr/bin/chromium';
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];

const idle: Omit<Measurement, 'value' | 'detail'> = {
  line: `console, ${sessionCount} sessions: what an idle tab receives`,
  unit: 'KB/s',
  bar: { atMost: 5 },
};
const firstPage: Omit<Measurement, 'value' | 'detail'> = {
  line: `console, ${sessionCount} sessions: the first page of the table, from the request to the rows`,
  unit: 'ms',
  bar: { atMost: 300 },
};

/** Runs in the page before the page's own scripts: when its rows are there. */
const watch = `
  window.rowsShown = new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('table.sessions tbody tr') === null) return;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });
`;

/** From the first request for sessions to the frame with their rows. */
const readOff = `window.rowsShown.then((shown) => {
  const requested = performance.getEntriesByType('resource').filter(({ name }) => name.includes('/sessions?'));
  return shown - requested[0].startTime;
})`;

if (!existsSync(executablePath)) {
  report([idle, firstPage].map((line) => ({ ...line, detail: `skipped: no browser at ${executablePath}` })));
} else {
  await inTemporaryFolder(async (folder) => {
    await recordSessions(folder, { count: sessionCount, liveCount });
    const sandbox = await startProgram('sandbox/cli', { SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' });
    const environment = {
      PORT: '0',
      DATA_DIR: folder,
      TELEGRAM_SANDBOX_URL: sandbox.url,
      MASTER_KEY: masterKey.toString('base64'),
    };
    const gateway = await startProgram('src/programs/cli', environment, [], ['start']);
    const browser = await chromium.launch({ executablePath, args });
    try {
      const pagesMs: number[] = [];
      for (let run = 0; run < runs; run++) pagesMs.push(await firstPageMs(browser, gateway.url));
      const bytes = await idleBytes(browser, gateway.url);
      report([
        {
          ...idle,
          value: bytes / 1024 / idleSeconds,
          detail: `${bytes} bytes in ${idleSeconds} s, ${liveCount} of the sessions live`,
        },
        {
          ...firstPage,
          value: median(pagesMs),
          detail: `median of ${runs}, slowest ${Math.max(...pagesMs).toFixed(0)} ms`,
        },
      ]);
    } finally {
      await browser.close();
      await gateway.end();
      await sandbox.end();
    }
  });
}

/** In a browser context of its own: nothing is cached. */
async function firstPageMs(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(`${url}/console/#/sessions?state=any`);
    return await page.evaluate<number>(readOff);
  } finally {
    await context.close();
  }
}

/** Bytes of all responses, headers and streams included, that a tab gets while nothing happens. */
async function idleBytes(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const client: CDPSession = await page.context().newCDPSession(page);
  let bytes = 0;
  client.on('Network.dataReceived', ({ encodedDataLength, dataLength }) => {
    bytes += encodedDataLength || dataLength;
  });
  await client.send('Network.enable');
  await page.goto(`${url}/console/#/sessions?state=any`);
  await page.locator('table.sessions tbody tr').first().waitFor();
  // What the stream of changes asks for when it opens.
  await sleep(3_000);
  bytes = 0;
  await sleep(idleSeconds * 1_000);
  return bytes;
}
