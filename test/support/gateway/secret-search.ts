import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import { controlOf, startLocalSandbox, type TestSandbox } from '../sandbox/sandbox.ts';
import { readQr } from './gateway.ts';
import { type Program, startProgram } from './program.ts';

/** An answer as it was sent: its headers, then its body. */
interface Reply {
  request: string;
  status: number;
  body: string;
}
type Headers = Record<string, string>;
type Session = Record<string, string | boolean>;
/** What must not be found, by what it is. */
export type Names = Record<string, string>;

/** A started gateway and all that it shows or keeps, to be searched for what does not belong there. */
export interface SecretSearch {
  readonly folder: string;
  readonly sandbox: Omit<TestSandbox, 'close'>;
  readonly replies: Reply[];
  /** What comes up on the way: QR links and their tokens, and what a test adds. */
  readonly found: Map<string, string>;
  readonly url: () => string;
  /** Asks, and keeps the answer. */
  readonly ask: (method: string, path: string, headers: Headers, body?: string) => Promise<Reply>;
  readonly send: (method: string, path: string, headers: Headers, body: object) => Promise<Reply>;
  readonly until: (headers: Headers, wanted: (session: Session) => boolean) => Promise<Session>;
  /** Has the account's phone scan the session's QR. */
  readonly scan: (headers: Headers, userId: string) => Promise<void>;
  /** Ends the program and starts it again on the same data. */
  readonly restart: (between?: () => void) => Promise<void>;
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  /** Everything that the programs have printed. */
  readonly log: () => string;
  /** Every key that the sandbox has agreed upon with the gateway so far, and how it may be written. */
  readonly loginKeys: () => { bytes: Buffer[]; names: Names };
  /** What of it lies in the data directory. */
  readonly searchFiles: (names: Names) => string[];
  readonly close: () => Promise<void>;
}

/** In what of it the searched text is found. */
export function searchText(text: string, where: string, names: Names): string[] {
  const hits = Object.entries(names).filter(([, value]) => text.includes(value));
  return hits.map(([name]) => `${name} in ${where}`);
}

const pollMs = 20;
const spellings = (key: Buffer): string[] => [key.toString('base64'), key.toString('base64url'), key.toString('hex')];

/** Starts a sandbox and a gateway that logs everything. */
export async function openSecretSearch(apiKey: string): Promise<SecretSearch> {
  const folder = await createTemporaryFolder();
  const own: Sandbox = await startLocalSandbox();
  const sandbox = controlOf(own.url);
  const environment = { DATA_DIR: folder.path, TELEGRAM_SANDBOX_URL: own.url, API_KEY: apiKey, LOG_LEVEL: 'trace' };
  const replies: Reply[] = [];
  const found = new Map<string, string>();
  const seenKeys = new Map<string, Buffer>();
  let program: Program = await startProgram(environment);
  let former = '';

  const files = (): { name: string; bytes: Buffer }[] =>
    readdirSync(folder.path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));

  const search: SecretSearch = {
    folder: folder.path,
    sandbox,
    replies,
    found,
    url: () => program.url,
    async ask(method, path, headers, body) {
      const response = await fetch(program.url + path, { method, headers, ...(body === undefined ? {} : { body }) });
      const shown = [...response.headers].map((header) => header.join(': ')).join('\n');
      const reply = { request: `${method} ${path}`, status: response.status, body: await response.text() };
      replies.push({ ...reply, body: `${shown}\n\n${reply.body}` });
      return reply;
    },
    send: (method, path, headers, body) =>
      search.ask(method, path, { ...headers, 'content-type': 'application/json' }, JSON.stringify(body)),
    async until(headers, wanted) {
      for (;;) {
        const { status, body } = await search.ask('GET', '/session', headers);
        const session = JSON.parse(body) as Session;
        if (status === 200 && wanted(session)) return session;
        await pause(pollMs);
      }
    },
    async scan(headers, userId) {
      const { qrcode } = await search.until(headers, (session) => session['qrcode'] !== '');
      const link = await readQr(String(qrcode));
      const token = Buffer.from(new URL(link).searchParams.get('token') ?? '', 'base64url');
      found.set(`QR link ${found.size}`, link);
      for (const encoding of ['base64url', 'base64', 'hex'] as const) {
        found.set(`QR token ${found.size} in ${encoding}`, token.toString(encoding));
      }
      await sandbox.scan(link, userId);
    },
    async restart(between) {
      former += program.output();
      await program.end('SIGKILL');
      between?.();
      program = await startProgram(environment);
    },
    end: (signal) => program.end(signal),
    log: () => former + program.output(),
    loginKeys() {
      // The sandbox forgets those that are logged out.
      for (const { id, secret } of own.world.tables.keys.values()) seenKeys.set(id, Buffer.from(secret));
      const bytes = [...seenKeys.values()];
      const named = bytes.flatMap((key, at) => spellings(key).map((text) => [`login key ${at}`, text]));
      return { bytes, names: Object.fromEntries(named) as Names };
    },
    searchFiles: (names) => files().flatMap(({ name, bytes }) => searchText(bytes.toString('latin1'), name, names)),
    async close() {
      await program.end('SIGKILL');
      await own.close();
      await folder.remove();
    },
  };
  return search;
}
