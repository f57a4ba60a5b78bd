import { type Measurement, report } from '../../measurement.ts';
import { jsonCall } from '../../support/json-call.ts';
import { type KurrentServer, withKurrentServer } from '../../support/kurrent/kurrent-server.ts';
import { type Credentials, withLiveGateway } from '../../support/live-gateway.ts';
import { killAndWatch, type Recovery } from '../../support/watch-restart.ts';
import { connectSessions, goUpAndDown, masterKey } from '../../support/write-model.ts';

/** A killed gateway that comes back with sessions that have lived on KurrentDB, with its views and without them. */
const sessionCount = 10_000;
const createdPerBatch = 500;
/** Connections lost and restored: with its creation, a session then has 12 events. */
const rounds = 5;

const [kept, rebuilt] = await withKurrentServer((server) =>
  withLiveGateway(
    async (live) => {
      const watched = await jsonCall<{ id: string; sessionId: string }>('POST', `${live.gateway.url}/session`);
      const credentials: Credentials = { id: watched.id, 'session-id': watched.sessionId };
      await live.kill();
      await liveThrough(server);
      // The first start builds the views. It is not measured.
      await killAndWatch(live, credentials, 0);
      return [await killAndWatch(live, credentials, 0), await killAndWatch(live, credentials, 0, 'lost')] as const;
    },
    {
      EVENT_STORE_URL: server.url,
      STREAM_PREFIX: server.streamPrefix,
      MASTER_KEY: masterKey.toString('base64'),
      MEDIA_LINK_KEYS: masterKey.toString('base64'),
    },
  ),
);
report([...linesOf('with its views', kept, 10), ...linesOf('with empty views', rebuilt, 20)]);

async function liveThrough({ openModel }: KurrentServer): Promise<void> {
  const model = await openModel();
  await model.sessions.start();
  for (let created = 0; created < sessionCount; created += createdPerBatch) {
    await goUpAndDown(model, await connectSessions(model, createdPerBatch), rounds);
  }
  await model.sessions.stop();
  await model.store.close();
}

function linesOf(how: string, { answeringMs, readyMs }: Recovery, readyBar: number): Measurement[] {
  return [
    {
      line: `start on KurrentDB ${how}, ${sessionCount} sessions: answers over HTTP`,
      value: answeringMs / 1000,
      unit: 's',
      bar: { atMost: 2 },
      detail: 'after kill -9',
    },
    {
      line: `start on KurrentDB ${how}, ${sessionCount} sessions: ready`,
      value: readyMs / 1000,
      unit: 's',
      bar: { atMost: readyBar },
      detail: `each of them with ${2 + 2 * rounds} events; the server shares the cores`,
    },
  ];
}
