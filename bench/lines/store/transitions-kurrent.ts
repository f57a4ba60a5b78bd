import type { EventStore, RecordedEvent } from '../../../actors/ports/event-store.ts';
import { median, report } from '../../measurement.ts';
import { appendBare, bareStreamsOf } from '../../support/bare-appends.ts';
import { withKurrentServer } from '../../support/kurrent/kurrent-server.ts';
import { connectSessions, goUpAndDown } from '../../support/write-model.ts';

/** Transitions of many sessions at once on a KurrentDB server, against the bare client that appends the same events. */
const sessionCount = 1000;
const roundsPerRun = 5;
const runs = 5;

const { rates, server } = await withKurrentServer(async ({ bare, description, streamPrefix, openModel }) => {
  const model = await openModel();
  await model.sessions.start();
  const ids = await connectSessions(model, sessionCount);
  const measured: { ours: number; bare: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const before = await lastPosition(model.store);
    const oursAt = performance.now();
    await goUpAndDown(model, ids, roundsPerRun);
    const oursMs = performance.now() - oursAt;
    const events: RecordedEvent[] = [];
    for await (const event of model.store.readAll({ after: before, prefixes: ['session-'] })) events.push(event);
    if (events.length !== sessionCount * roundsPerRun * 2) throw new Error(`recorded ${events.length} transitions`);
    const streams = bareStreamsOf(streamPrefix, events);
    const bareAt = performance.now();
    await appendBare(bare, streams, sessionCount);
    const bareMs = performance.now() - bareAt;
    measured.push({ ours: (events.length / oursMs) * 1000, bare: (events.length / bareMs) * 1000 });
  }
  await model.sessions.stop();
  await model.store.close();
  return { rates: measured, server: description };
});

report([
  {
    line: 'durable transitions/s on KurrentDB, 1,000 sessions ÷ the bare client’s appends of the same events',
    value: median(rates.map(({ ours, bare }) => ours / bare)),
    unit: '×',
    bar: { atLeast: 0.6 },
    detail: `${Math.round(median(rates.map(({ ours }) => ours)))}/s ÷ ${Math.round(median(rates.map(({ bare }) => bare)))}/s, ${sessionCount} appends in flight; ${server}`,
  },
]);

async function lastPosition(store: EventStore): Promise<bigint> {
  let position = 0n;
  for await (const event of store.readAll({ prefixes: ['session-'] })) position = event.position;
  return position;
}
