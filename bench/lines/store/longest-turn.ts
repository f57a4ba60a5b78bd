import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProjectionRunner } from '../../../projections/projection-runner.ts';
import { systemClock } from '../../../src/config/clock.ts';
import { openViewDatabase } from '../../../src/store/views/view-database.ts';
import { median, report } from '../../measurement.ts';
import { connectSessions, inTemporaryFolder, openWriteModel, type WriteModel } from '../../support/write-model.ts';

/** How long the event loop stands for the write model and its views, with a picture of each account. */
const sessionCount = 4000;
const changedAtOnce = 1000;
const arrivingTogether = 20;
const runs = 7;
/** As large as the pictures that Telegram serves for profiles, in base64. */
const picture = 'A'.repeat(16 * 1024);

const longest = await inTemporaryFolder(async (folder) => {
  const model = openWriteModel(folder);
  await model.sessions.start();
  const ids: string[] = [];
  while (ids.length < sessionCount) ids.push(...(await connectSessions(model, 500)));
  const measured: { appends: number; rebuild: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const appends = await longestTurnMs(() => changeAccounts(model, ids.slice(0, changedAtOnce), run));
    const rebuild = await longestTurnMs(() => rebuildViews(model, join(folder, 'views.db')));
    measured.push({ appends, rebuild });
  }
  await model.sessions.stop();
  await model.store.close();
  return measured;
});

report([
  {
    line: `longest turn of the event loop: ${changedAtOnce} new pictures at once`,
    value: median(longest.map(({ appends }) => appends)),
    unit: 'ms',
    bar: { atMost: 20 },
    detail: `${picture.length / 1024} KB each; median of the longest of ${runs} runs`,
  },
  {
    line: `longest turn of the event loop: views of ${sessionCount} sessions built from the log`,
    value: median(longest.map(({ rebuild }) => rebuild)),
    unit: 'ms',
    bar: { atMost: 20 },
    detail: `median of the longest of ${runs} runs`,
  },
]);

/** As they come from Telegram: a few in each turn, while the store writes those before. */
async function changeAccounts({ reports }: WriteModel, ids: readonly string[], run: number): Promise<void> {
  const recorded: Promise<void>[] = [];
  for (const [index, id] of ids.entries()) {
    const account = { id: String(1000 + index), name: `Ann ${run}`, username: 'ann', phone: '15550000001' };
    const reportFact = reports.get(id);
    if (reportFact !== undefined) recorded.push(reportFact({ type: 'AccountChanged', login: 1, account, picture }));
    if (index % arrivingTogether === 0) await new Promise(setImmediate);
  }
  await Promise.all(recorded);
}

async function rebuildViews({ store }: WriteModel, file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  const database = openViewDatabase(file);
  const onError = (error: unknown): void => {
    throw error;
  };
  const views = createProjectionRunner({ store, database, clock: systemClock, onError, reportUnreadable: onError });
  await views.start();
  await views.stop();
  database.close();
}

/** The longest time between two turns of the event loop while work is done. */
async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let [longestMs, lastAt, isOver] = [0, performance.now(), false];
  const look = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - lastAt);
    lastAt = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  look();
  return longestMs;
}
