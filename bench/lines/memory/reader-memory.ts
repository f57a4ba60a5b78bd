import { type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../measurement.ts';
import { ann } from '../../support/accounts.ts';
import { type Credentials, logInMany, withLiveGateway } from '../../support/live-gateway.ts';
import type { Usage } from '../../support/probe.ts';
import { repeat } from '../../support/repeat.ts';

/** Memory of a connected reader: an open `GET /session/messages/stream` that has nothing to tell. */
const readersOfSession = 5;
const warmUpSessions = 20;
const sessionCount = 60;
/** Every connection to Telegram has been pinged, and every stream has had a heartbeat. */
const settleMs = 20_000;
const inFlight = 10;

const open: ClientRequest[] = [];
const { before, after } = await withLiveGateway(async (live) => {
  const sessions = await logInMany(live, ann, warmUpSessions + sessionCount);
  const connectAll = async (some: readonly Credentials[]): Promise<Usage> => {
    await repeat(some.length * readersOfSession, inFlight, async (index) => {
      const headers = some[Math.floor(index / readersOfSession)];
      if (headers !== undefined) open.push(await connectReader(live.gateway.url, headers, index % readersOfSession));
    });
    await sleep(settleMs);
    return live.gateway.usage('memory');
  };
  const usage = {
    before: await connectAll(sessions.slice(0, warmUpSessions)),
    after: await connectAll(sessions.slice(warmUpSessions)),
  };
  for (const reader of open) reader.destroy();
  return usage;
});

/** Readers also use what the sessions' logins have freed, so that the resident memory alone would show too little. */
const perReaderKb = (of: 'rssBytes' | 'heapBytes' | 'externalBytes'): number =>
  (after[of] - before[of]) / (sessionCount * readersOfSession) / 1024;
report([
  {
    line: 'memory of a connected reader of messages (the larger of RSS and heap)',
    value: Math.max(perReaderKb('rssBytes'), perReaderKb('heapBytes') + perReaderKb('externalBytes')),
    unit: 'KB',
    bar: { atMost: 20 },
    detail:
      `${sessionCount * readersOfSession} readers more, ${readersOfSession} a session; ` +
      `a reader's RSS ${perReaderKb('rssBytes').toFixed(1)}, heap ${perReaderKb('heapBytes').toFixed(1)}, external ${perReaderKb('externalBytes').toFixed(1)} KB`,
  },
]);

/** Resolves when the stream has begun. */
function connectReader(url: string, headers: Credentials, reader: number): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/session/messages/stream?reader=bench-${reader}`, { headers, agent: false });
    sent.once('response', (response) => {
      response.once('data', () => resolve(sent)).resume();
      // The gateway ends first.
      response.on('error', () => undefined);
      if (response.statusCode !== 200) reject(new Error(`a reader got ${response.statusCode}`));
    });
    sent.on('error', reject);
    sent.end();
  });
}
