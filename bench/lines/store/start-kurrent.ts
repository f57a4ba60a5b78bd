import { setTimeout as sleep } from 'node:timers/promises';
import { sessionStream } from '../../../actors/session/events.ts';
import { followedStream } from '../../../src/webhook/stream/followed-codec.ts';
import { type Measurement, report } from '../../measurement.ts';
import { jsonCall } from '../../support/json-call.ts';
import { type KurrentServer, withKurrentServer } from '../../support/kurrent/kurrent-server.ts';
import { type Credentials, withLiveGateway } from '../../support/live-gateway.ts';
import { killAndWatch, type Recovery } from '../../support/watch-restart.ts';
import { connectSessions, goUpAndDown, keepLogins, masterKey } from '../../support/write-model.ts';

/** A killed gateway that comes back with sessions that have lived on KurrentDB, with its views and without them. */
const sessionCount = 10_000;
const createdPerBatch = 500;
/** Connections lost and restored: with its creation, a session then has 12 events. */
const rounds = 5;
const pollMs = 500;

const [kept, rebuilt] = await withKurrentServer((server) =>
  withLiveGateway(
    async (live) => {
      const watched = await jsonCall<{ id: string; sessionId: string }>('POST', `${live.gateway.url}/session`);
      const credentials: Credentials = { id: watched.id, 'session-id': watched.sessionId };
      await live.kill();
      // What is measured is the start, not the logins after it.
      await jsonCall('POST', `${live.sandbox.url}/network`, { body: { action: 'refuse' } });
      const end = await liveThrough(server);
      // The first start builds the views and looks at all events for their receivers. It is not measured.
      await killAndWatch(live, credentials, 0);
      await haveFollowed(server, end);
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

/** @returns position of one of the last events */
async function liveThrough({ openModel }: KurrentServer): Promise<bigint> {
  const model = await openModel();
  await model.sessions.start();
  let end = 0n;
  for (let created = 0; created < sessionCount; created += createdPerBatch) {
    const ids = await connectSessions(model, createdPerBatch);
    await keepLogins(model, ids);
    await goUpAndDown(model, ids, rounds);
    end = (await model.store.last(sessionStream(ids[0] ?? '')))?.position ?? end;
  }
  await model.sessions.stop();
  await model.store.close();
  return end;
}

/** Resolves when the gateway has saved that it has looked at all events up to there. */
async function haveFollowed({ openModel }: KurrentServer, position: bigint): Promise<void> {
  const { store } = await openModel();
  for (let upTo = 0n; upTo < position; await sleep(pollMs)) {
    const place = (await store.last(followedStream))?.data as { position?: string } | undefined;
    upTo = BigInt(place?.position ?? 0);
  }
  await store.close();
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
