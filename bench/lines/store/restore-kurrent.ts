import { START, streamNameFilter } from '@kurrent/kurrentdb-client';
import type { RecordedEvent } from '../../../actors/ports/event-store.ts';
import { median, report } from '../../measurement.ts';
import { appendBare, type BareStream, bareStreamsOf } from '../../support/bare-appends.ts';
import { type KurrentServer, withKurrentServer } from '../../support/kurrent/kurrent-server.ts';
import { connectSessions } from '../../support/write-model.ts';

/**
 * From a KurrentDB server with connected sessions to every actor restored, and recorded as disconnected by the restart
 * (SE7), against the bare client that reads the same events and appends the same number.
 */
const sessionCount = 5000;
const createdPerBatch = 500;
const sideBySide = 1000;
const runs = 5;

const { rates, server: description } = await withKurrentServer(async (server) => {
  const first = await server.openModel();
  await first.sessions.start();
  for (let created = 0; created < sessionCount; created += createdPerBatch)
    await connectSessions(first, createdPerBatch);
  await first.sessions.stop();
  await first.store.close();

  const measured: { ours: number; bare: number }[] = [];
  for (let run = 0; run < runs; run++) {
    const oursMs = await timed(() => restart(server));
    const streams = bareStreamsOf(server.streamPrefix, await lastRestarts(server));
    const bareMs = await timed(() => restartBare(server, streams));
    measured.push({ ours: (sessionCount / oursMs) * 1000, bare: (sessionCount / bareMs) * 1000 });
  }
  return { rates: measured, server: server.description };
});

report([
  {
    line: 'restore on KurrentDB: sessions/s ÷ the bare client, same reads and appends',
    value: median(rates.map(({ ours, bare }) => ours / bare)),
    unit: '×',
    bar: { atLeast: 0.85 },
    detail: `${Math.round(median(rates.map(({ ours }) => ours)))}/s ÷ ${Math.round(median(rates.map(({ bare }) => bare)))}/s, ${sessionCount} sessions, each recorded as disconnected; ${description}`,
  },
]);

async function restart({ openModel }: KurrentServer): Promise<void> {
  const model = await openModel();
  await model.sessions.start();
  await model.sessions.stop();
  await model.store.close();
}

/** The last events of all sessions, which the restart has appended. */
async function lastRestarts({ openModel }: KurrentServer): Promise<RecordedEvent[]> {
  const { store } = await openModel();
  const events: RecordedEvent[] = [];
  for await (const event of store.lastOfEach('session-')) events.push(event);
  await store.close();
  if (events.length !== sessionCount || events.some(({ type }) => type !== 'GatewayRestarted')) {
    throw new Error('not every session was restored');
  }
  return events;
}

/** Reads all sessions, keeps the last event of each, and appends one event to each. */
async function restartBare({ bare, streamPrefix }: KurrentServer, streams: readonly BareStream[]): Promise<void> {
  const filter = streamNameFilter({ prefixes: [`${streamPrefix}session-`] });
  const lasts = new Map<string, unknown>();
  for await (const { event } of bare.readAll({ fromPosition: START, filter })) {
    if (event !== undefined) lasts.set(event.streamId, event);
  }
  if (lasts.size !== sessionCount) throw new Error(`found ${lasts.size} sessions`);
  await appendBare(bare, streams, sideBySide);
}

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
