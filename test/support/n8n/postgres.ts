import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../clients/free-port.ts';

const run = promisify(execFile);

/** Where Debian has the programs of each version. */
const versions = '/usr/lib/postgresql';

/** A PostgreSQL server of its own, for programs that need one. */
export interface Postgres {
  port: number;
  user: string;
  database: string;
  stop(): Promise<void>;
}

/** The folder of PostgreSQL's programs; undefined where there is none. */
export function postgresPrograms(): string | undefined {
  const [newest] = existsSync(versions) ? readdirSync(versions).toSorted((a, b) => Number(b) - Number(a)) : [];
  return newest === undefined ? undefined : join(versions, newest, 'bin');
}

/**
 * Starts a server with an empty database, on loopback. The server refuses to run as root: it runs as Debian's user then.
 * @param folder for its data; it must be one that this user may enter
 */
export async function startPostgres(folder: string): Promise<Postgres> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const isRoot = process.getuid?.() === 0;
  const as = (program: string, args: string[]): Promise<unknown> => {
    const command = [join(programs, program), ...args];
    return isRoot ? run('runuser', ['-u', 'postgres', '--', ...command]) : run(command[0] as string, args);
  };
  const home = join(folder, 'postgres');
  mkdirSync(home, { recursive: true });
  if (isRoot) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    chownSync(folder, Number(stdout), -1);
    chownSync(home, Number(stdout), -1);
  }
  const data = join(home, 'data');
  const port = await freePort();
  await as('initdb', ['-D', data, '-A', 'trust', '-U', 'n8n', '--no-sync']);
  // What is lost in a crash of this machine is a test's.
  const options = `-p ${port} -k ${home} -c listen_addresses=127.0.0.1 -c fsync=off`;
  await as('pg_ctl', ['-D', data, '-w', '-l', join(home, 'log'), '-o', options, 'start']);
  await as('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', 'n8n']);
  return {
    port,
    user: 'n8n',
    database: 'n8n',
    stop: async () => {
      await as('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
    },
  };
}
