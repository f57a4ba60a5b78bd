import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProgram, roomyHeap, startProgram } from './child-program.ts';
import { inTemporaryFolder } from './write-model.ts';

/** The whole gateway as `npm start` runs it, and the sandbox that it talks to: each in a process of its own. */
export interface LiveGateway {
  gateway: ChildProgram;
  sandbox: ChildProgram;
}

/** What the two headers of a session's requests say. */
export type Credentials = Record<'id' | 'session-id', string>;

/** The seeded account with a picture and no password. */
export const ann = '1001';

export async function withLiveGateway<T>(
  work: (live: LiveGateway) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const sandbox = await startProgram('sandbox/cli', { SANDBOX_PORT: '0', SANDBOX_DC_PORT: '0' }, roomyHeap);
    try {
      const gateway = await startProgram('src/programs/main', {
        PORT: '0',
        DATA_DIR: folder,
        TELEGRAM_SANDBOX_URL: sandbox.url,
        ...settings,
      });
      try {
        return await work({ gateway, sandbox });
      } finally {
        await gateway.end();
      }
    } finally {
      await sandbox.end();
    }
  });
}

/** How often a client asks what has become of its session: often enough, and not much of the cost of a login. */
const askEveryMs = 50;

/** Creates a session, has its QR code scanned by an account's phone, and waits until it is connected. */
export async function logIn({ gateway, sandbox }: LiveGateway, userId: string): Promise<Credentials> {
  const created = await call<{ id: string; sessionId: string }>('POST', `${gateway.url}/session`);
  const headers: Credentials = { id: created.id, 'session-id': created.sessionId };
  let scanned = false;
  for (;;) {
    const session = await readSession(gateway, headers);
    if (session.isConnected) return headers;
    if (session.qrcode !== '' && !scanned) {
      await call('POST', `${sandbox.url}/qr/scan`, {}, { qrcode: session.qrcode, userId });
      scanned = true;
    }
    await sleep(askEveryMs);
  }
}

export interface SessionAnswer {
  isConnected: boolean;
  qrcode: string;
  picture: string;
}

export function readSession(gateway: ChildProgram, headers: Credentials): Promise<SessionAnswer> {
  return call('GET', `${gateway.url}/session`, headers);
}

/** So many logins, a few at a time. */
export async function logInMany(live: LiveGateway, count: number): Promise<Credentials[]> {
  const all: Credentials[] = [];
  let begun = 0;
  const oneAfterTheOther = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      all.push(await logIn(live, ann));
    }
  };
  await Promise.all(Array.from({ length: loginsAtOnce }, oneAfterTheOther));
  return all;
}

const loginsAtOnce = 10;

/** JSON over HTTP. @throws where the answer is an error */
async function call<T>(method: string, url: string, headers: Record<string, string> = {}, body?: object): Promise<T> {
  const response = await fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  // A gateway on a machine that is busy with others turns requests away, before they have done anything.
  if (response.status === 503) {
    await sleep(askEveryMs);
    return call(method, url, headers, body);
  }
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
  return JSON.parse(text) as T;
}
