import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { type Measurement, median, report } from '../measurement.ts';
import { ann } from '../support/accounts.ts';
import { logInMany, withLiveGateway } from '../support/live-gateway.ts';

/** Until the console's list is painted, with 1,000 sessions, in a browser that has nothing of it cached. */
const sessionCount = 1_000;
const runs = 7;
/** Debian's package. */
const executablePath = '/usr/bin/chromium';
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync', '--no-first-run'];

interface Painted {
  /** Milliseconds from the navigation to the first contentful paint, and to the list with its rows. */
  firstMs: number;
  listMs: number;
  /** Size of the page and of all files that it loads to be shown, as sent. */
  pageBytes: number;
}

const paint: Omit<Measurement, 'value' | 'detail'> = {
  line: `console, ${sessionCount} sessions: from the navigation to the list painted`,
  unit: 'ms',
  bar: { atMost: 1_000 },
};
const weight: Omit<Measurement, 'value' | 'detail'> = {
  line: 'console, page and files as sent',
  unit: 'KB',
  bar: { atMost: 150 },
};

/** Runs in the page before the page's own scripts. */
const watch = `
  window.listPainted = new Promise((resolve) => {
    new MutationObserver((_changes, observer) => {
      if (document.querySelector('.rows .row') === null) return;
      observer.disconnect();
      // The frame that shows the rows is finished when the next one begins.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now())));
    }).observe(document, { childList: true, subtree: true });
  });
`;

const readOff = `window.listPainted.then((listMs) => ({
  listMs,
  firstMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
  pageBytes: [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
    .filter(({ initiatorType }) => initiatorType !== 'fetch')
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
}))`;

if (!existsSync(executablePath)) {
  report([paint, weight].map((line) => ({ ...line, detail: `skipped: no browser at ${executablePath}` })));
} else {
  const paints = await withLiveGateway(async (live) => {
    await logInMany(live, ann, sessionCount);
    const browser = await chromium.launch({ executablePath, args });
    try {
      const all: Painted[] = [];
      for (let run = 0; run < runs; run++) all.push(await paintOnce(browser, live.gateway.url));
      return all;
    } finally {
      await browser.close();
    }
  });
  const firstMs = median(paints.map((one) => one.firstMs));
  const slowestMs = Math.max(...paints.map(({ listMs }) => listMs));
  report([
    {
      ...paint,
      value: median(paints.map(({ listMs }) => listMs)),
      detail: `first paint ${firstMs.toFixed(0)} ms; median of ${runs} with nothing cached, slowest ${slowestMs.toFixed(0)} ms`,
    },
    { ...weight, value: (paints[0]?.pageBytes ?? NaN) / 1024, detail: 'compressed, without headers' },
  ]);
}

/** In a browser context of its own: nothing is cached. */
async function paintOnce(browser: Browser, url: string): Promise<Painted> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(`${url}/console/`);
    return await page.evaluate<Painted>(readOff);
  } finally {
    await context.close();
  }
}
