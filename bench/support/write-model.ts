import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ReportUnreadable } from '../../actors/ports/event-codec.ts';
import type { EventStore } from '../../actors/ports/event-store.ts';
import type { ReportTelegramFact, TelegramSession } from '../../actors/ports/telegram-session.ts';
import { createSessionCommands } from '../../actors/runtime/session-commands.ts';
import type { Sessions } from '../../actors/runtime/sessions.ts';
import type { SessionNames } from '../../actors/session/session-settings.ts';
import { systemClock, systemRandomness } from '../../src/config/clock.ts';
import { openSqliteStore } from '../../src/store/events/sqlite/sqlite-store.ts';
import { openVault, type Vault } from '../../src/store/vault/vault.ts';
import { writeLogin } from '../../src/telegram/login/login-state.ts';

/** The real write model on the real store, without Telegram: its sessions do nothing, and report what a bench tells them. */
export interface WriteModel {
  store: EventStore;
  vault: Vault;
  sessions: Sessions;
  /** By session ID: how its Telegram session reports facts. */
  reports: Map<string, ReportTelegramFact>;
}

/** A write model on the embedded store in a folder. */
export function openWriteModel(folder: string): WriteModel {
  return openWriteModelOn(openSqliteStore({ file: join(folder, 'events.db'), clock: systemClock }));
}

/** Wraps the sessions' keys in all of these models. */
export const masterKey = Buffer.alloc(32, 7);

export function openWriteModelOn(store: EventStore): WriteModel {
  const reports = new Map<string, ReportTelegramFact>();
  const vault = openVault({
    store,
    masterKeys: [masterKey],
    clock: systemClock,
    randomness: systemRandomness,
    reportUnreadable,
  });
  const sessions = createSessionCommands({
    store,
    sealer: vault,
    clock: systemClock,
    random: systemRandomness,
    node: 'bench',
    reportUnreadable,
    createTelegramSession: (id, report) => {
      reports.set(id, report);
      return idleTelegramSession;
    },
  });
  return { store, vault, sessions, reports };
}

const idleTelegramSession: TelegramSession = {
  startQrLogin() {},
  awaitCode() {},
  awaitPassword() {},
  connect() {},
  logIn: async (login) => ({ type: 'CodesUsedUp', login }),
  sendCode: async () => 'used-up',
  submitCode: async () => 'rejected',
  submitPassword: async () => 'rejected',
  exportLogin: async () => '',
  tryProxy: async () => {},
  useProxy() {},
  keepLogin() {},
  loginKept: async () => {},
  dropLogin() {},
  loginDropped: async () => {},
  giveUpLogOuts: () => {},
  logOut() {},
  close: async () => {},
};

const reportUnreadable: ReportUnreadable = ({ stream, reason }) => {
  throw new Error(`${stream} cannot be read: ${reason}`);
};

/** Creates sessions and logs them in. */
export async function connectSessions({ sessions, reports }: WriteModel, count: number): Promise<string[]> {
  const created = await Promise.all(Array.from({ length: count }, () => sessions.create({})));
  await Promise.all(
    created.map(async ({ id }, index) => {
      await reports.get(id)?.({
        type: 'LoggedIn',
        login: 1,
        account: { id: String(1000 + index), name: 'Ann Lee', username: 'ann', phone: '15550000001' },
        picture: '',
      });
    }),
  );
  return created.map(({ id }) => id);
}

/** Gives each session the key of a login. Without one, a gateway that connects it finds its login lost. */
export async function keepLogins({ vault }: WriteModel, ids: readonly string[]): Promise<void> {
  const login = (): string =>
    writeLogin({ stage: 'complete', dc: 2, keys: new Map([[2, systemRandomness.bytes(256)]]), peers: [] });
  await Promise.all(ids.map((id) => vault.saveLogin(id, login())));
}

/** Each session loses its connection and gets it back, in `rounds` rounds of two events; all sessions side by side. */
export async function goUpAndDown({ reports }: WriteModel, ids: readonly string[], rounds: number): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      for (let round = 0; round < rounds; round++) {
        await reports.get(id)?.({ type: 'ConnectionLost', login: 1, reason: 'unreachable' });
        await reports.get(id)?.({ type: 'ConnectionRestored', login: 1 });
      }
    }),
  );
}

/** Commands that are under way at once. */
const atOnce = 1_000;

interface RecordedSessions {
  count: number;
  /** How many of them, the newest, are not deleted. */
  liveCount: number;
  /** The caller's own names for one of them, which are counted from 1; default: none. */
  namesOf?: (number: number) => SessionNames;
}

/** Writes the log of a gateway most of whose sessions are deleted into a folder, sealed with the models' master key. */
export async function recordSessions(
  folder: string,
  { count, liveCount, namesOf = () => ({}) }: RecordedSessions,
): Promise<void> {
  const model = openWriteModel(folder);
  await model.sessions.start();
  for (let made = 0; made < count; made += atOnce) {
    const length = Math.min(atOnce, count - made);
    const created = await Promise.all(
      Array.from({ length }, (_, index) => model.sessions.create(namesOf(made + index + 1))),
    );
    const ended = created.slice(0, Math.max(0, count - liveCount - made));
    await Promise.all(ended.map(({ id }) => model.sessions.delete(id)));
  }
  await model.sessions.stop();
  await model.store.close();
}

export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
