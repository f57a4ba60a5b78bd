import { join } from 'node:path';
import Libsql from 'libsql';
import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { median, report } from '../../measurement.ts';
import { connectSessions, goUpAndDown, inTemporaryFolder, openWriteModel } from '../../support/write-model.ts';

/** Durable transitions of many sessions at once, against bare appends of the same events. */
const sessionCount = 1000;
const roundsPerRun = 10;
const runs = 5;

const rates: { durable: number; bare: number }[] = [];
for (let run = 0; run < runs; run++) {
  rates.push(
    await inTemporaryFolder(async (folder) => {
      const model = openWriteModel(folder);
      await model.sessions.start();
      const ids = await connectSessions(model, sessionCount);
      const before = await lastPosition(model.store);
      const started = performance.now();
      await goUpAndDown(model, ids, roundsPerRun);
      const durableMs = performance.now() - started;
      const events: RecordedEvent[] = [];
      for await (const event of model.store.readAll({ after: before, prefixes: ['session-'] })) events.push(event);
      if (events.length !== sessionCount * roundsPerRun * 2) throw new Error(`recorded ${events.length} transitions`);
      await model.sessions.stop();
      await model.store.close();
      const bareMs = appendBare(join(folder, 'bare.db'), events);
      return { durable: (events.length / durableMs) * 1000, bare: (events.length / bareMs) * 1000 };
    }),
  );
}

report([
  {
    line: 'durable transitions/s, 1,000 sessions ÷ bare libsql appends of the same events',
    value: median(rates.map(({ durable, bare }) => durable / bare)),
    unit: '×',
    bar: { atLeast: 0.45 },
    detail: `${Math.round(median(rates.map(({ durable }) => durable)))}/s ÷ ${Math.round(median(rates.map(({ bare }) => bare)))}/s`,
  },
]);

/** SQLite alone: transactions of as many events as there are sessions, each synced. @returns milliseconds */
function appendBare(file: string, events: readonly RecordedEvent[]): number {
  const database = new Libsql(file);
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE events (
      pos INTEGER PRIMARY KEY AUTOINCREMENT, stream TEXT NOT NULL, rev INTEGER NOT NULL, id TEXT NOT NULL UNIQUE,
      type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL, created INTEGER NOT NULL, UNIQUE (stream, rev))`);
  const insert = database.prepare(
    'INSERT INTO events (stream, rev, id, type, data, metadata, created) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const rows = events.map((event) => [
    event.stream,
    event.revision,
    event.id,
    event.type,
    JSON.stringify(event.data),
    JSON.stringify(event.metadata),
    event.created,
  ]);
  const started = performance.now();
  for (let first = 0; first < rows.length; first += sessionCount) {
    database.exec('BEGIN IMMEDIATE');
    for (const row of rows.slice(first, first + sessionCount)) insert.run(row);
    database.exec('COMMIT');
  }
  const elapsed = performance.now() - started;
  database.close();
  return elapsed;
}

async function lastPosition(store: EventStore): Promise<bigint> {
  let position = 0n;
  for await (const event of store.readAll()) position = event.position;
  return position;
}
