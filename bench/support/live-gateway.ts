import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProgram, roomyHeap, startProgram } from './child-program.ts';
import { jsonCall } from './json-call.ts';
import { repeat } from './repeat.ts';
import { inTemporaryFolder } from './write-model.ts';

/** The whole gateway as `npm start` runs it, and the sandbox that it talks to: each in a process of its own. */
export interface LiveGateway {
  /** Another one after each restart. */
  readonly gateway: ChildProgram;
  readonly sandbox: ChildProgram;
  /** Kills the gateway. `views: 'lost'` removes its views, which the next start then builds from the log. */
  kill(options?: { views: 'kept' | 'lost' }): Promise<void>;
  /** Starts it again after a kill, on its port and its folder; resolves when it has announced itself. */
  start(): Promise<void>;
}

/** The two headers of a session's requests. */
export type Credentials = Record<'id' | 'session-id', string>;

/**
 * @param settings of the gateway, as environment variables
 * @param sandboxSettings of the sandbox, which has no rate limits by default
 */
export async function withLiveGateway<T>(
  work: (live: LiveGateway) => Promise<T>,
  settings: Record<string, string> = {},
  sandboxSettings: Record<string, string> = {},
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const sandbox = await startProgram(
      'sandbox/cli',
      { SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0', SANDBOX_RATE_LIMITS: 'false', ...sandboxSettings },
      roomyHeap,
    );
    try {
      const environment = { DATA_DIR: folder, TELEGRAM_SANDBOX_URL: sandbox.url, ...settings };
      const start = (port: string): Promise<ChildProgram> =>
        startProgram('src/programs/cli', { PORT: port, ...environment }, [], ['start']);
      let gateway = await start('0');
      try {
        return await work({
          get gateway() {
            return gateway;
          },
          sandbox,
          async kill({ views } = { views: 'kept' }) {
            await gateway.kill();
            if (views === 'lost') for (const file of viewFiles) rmSync(join(folder, file), { force: true });
          },
          async start() {
            gateway = await start(new URL(gateway.url).port);
          },
        });
      } finally {
        await gateway.end();
      }
    } finally {
      await sandbox.end();
    }
  });
}

const viewFiles = ['views.db', 'views.db-wal', 'views.db-shm'];

/** How often a client polls its session: soon enough after a change, and a small part of a login's cost. */
const pollMs = 50;

/** Creates a session, has its QR code scanned by an account's phone, and waits until it is connected. */
export async function logIn(
  { gateway, sandbox }: Pick<LiveGateway, 'gateway' | 'sandbox'>,
  userId: string,
): Promise<Credentials> {
  const created = await jsonCall<{ id: string; sessionId: string }>('POST', `${gateway.url}/session`);
  const headers: Credentials = { id: created.id, 'session-id': created.sessionId };
  let isScanned = false;
  for (;;) {
    const { isConnected, qrcode } = await getSession(gateway, headers);
    if (isConnected) return headers;
    if (qrcode !== '' && !isScanned) {
      await jsonCall('POST', `${sandbox.url}/qr/scan`, { body: { qrcode, userId } });
      isScanned = true;
    }
    await sleep(pollMs);
  }
}

export interface SessionResponse {
  isConnected: boolean;
  qrcode: string;
  picture: string;
}

export function getSession(gateway: ChildProgram, headers: Credentials): Promise<SessionResponse> {
  return jsonCall('GET', `${gateway.url}/session`, { headers });
}

const loginsInFlight = 10;

/** Logs in a session for each user ID. */
export function logInAll(live: LiveGateway, userIds: readonly string[]): Promise<Credentials[]> {
  return repeat(userIds.length, loginsInFlight, (index) => logIn(live, userIds[index] ?? ''));
}

/** Logs in `count` sessions of one account. */
export function logInMany(live: LiveGateway, userId: string, count: number): Promise<Credentials[]> {
  return logInAll(
    live,
    Array.from({ length: count }, () => userId),
  );
}

/** Points a session's webhook at a URL. */
export async function setWebhook({ gateway }: LiveGateway, headers: Credentials, url: string): Promise<void> {
  await jsonCall('PUT', `${gateway.url}/session/webhook`, { headers, body: { url, token: 'token' } });
}
