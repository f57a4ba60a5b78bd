import { median, report } from '../../measurement.ts';
import { connectSessions, inTemporaryFolder, openWriteModel } from '../../support/write-model.ts';

/** From a store of 10,000 connected sessions to every actor restored, and recorded as disconnected by the restart (SE7). */
const sessionCount = 10_000;
const runs = 5;

const rates = await inTemporaryFolder(async (folder) => {
  const first = openWriteModel(folder);
  await first.sessions.start();
  for (let created = 0; created < sessionCount; created += 1000) await connectSessions(first, 1000);
  await first.sessions.stop();
  await first.store.close();

  const measured: number[] = [];
  for (let run = 0; run < runs; run++) {
    const model = openWriteModel(folder);
    const started = performance.now();
    await model.sessions.start();
    measured.push((sessionCount / (performance.now() - started)) * 1000);
    await model.sessions.stop();
    await model.store.close();
  }
  return measured;
});

report([
  {
    line: 'restore: sessions/s from a store of 10,000 sessions to ready',
    value: median(rates),
    unit: 'sessions/s',
    bar: { atLeast: 25_000 },
    detail: 'every session was connected when the process died, so each is also recorded as disconnected',
  },
]);
