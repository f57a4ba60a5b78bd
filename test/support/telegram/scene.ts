import type { TelegramFact, TelegramSession } from '../../../actors/ports/telegram-session.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { systemClock } from '../../../src/config/clock.ts';
import { DcAddresses } from '../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../src/telegram/connection/dialler.ts';
import { fetchSandboxNetwork } from '../../../src/telegram/connection/network.ts';
import { createTelegram, type Telegram, type TelegramOptions } from '../../../src/telegram/gramjs/telegram.ts';
import type { LoginStore } from '../../../src/telegram/login/login-store.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { passTime } from '../kit/passing-time.ts';
import { startLocalSandbox } from '../sandbox/sandbox.ts';

type FactOf<T extends TelegramFact['type']> = Extract<TelegramFact, { type: T }>;

/** A link, and what it has reported. */
export interface Observed extends TelegramSession {
  readonly sessionId: string;
  readonly facts: TelegramFact[];
  /** The first fact of this type that no former call has taken, as soon as it is there. */
  next<T extends TelegramFact['type']>(type: T): Promise<FactOf<T>>;
  /** @throws not connected */
  account(): TelegramAccount;
}

/** A sandbox, and a gateway's Telegram beside it whose time is driven. The network between them is real. */
export interface Scene {
  readonly sandbox: Sandbox;
  readonly clock: DrivenClock;
  readonly options: TelegramOptions;
  /** What is stored, by session. */
  readonly logins: Map<string, string>;
  readonly log: string[];
  telegram: Telegram;
  link(sessionId: string): Observed;
  /** A link that is logged in: someone has scanned its QR. */
  loggedIn(sessionId: string, userId: string): Promise<Observed>;
  /** The control API of the sandbox. */
  control<T = unknown>(method: string, path: string, body?: unknown): Promise<T>;
  /** Lets time pass for sessions that are connected: the network between is real, and must have its chance to answer. */
  live(ms: number): Promise<void>;
  /** Ends all links, as a process does that ends, and starts with what was stored. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export const anyTime = new AbortController().signal;

/** @param shared a sandbox that is already there; it is set back to the seeded world, and outlives the scene */
export async function openScene(changes: Partial<TelegramOptions> = {}, shared?: Sandbox): Promise<Scene> {
  const sandbox = shared ?? (await startLocalSandbox());
  if (shared !== undefined) await callControl(sandbox.url, 'POST', '/reset');
  const network = await fetchSandboxNetwork(sandbox.url, systemClock, AbortSignal.timeout(10_000));
  const clock = createDrivenClock({ startAt: Date.now() });
  const logins = new Map<string, string>();
  const log: string[] = [];
  const loginStore: LoginStore = {
    loadLogin: async (id, read) => {
      const text = logins.get(id);
      return text === undefined ? undefined : read(text);
    },
    saveLogin: async (id, login) => void logins.set(id, login),
    dropLogin: async (id) => void logins.delete(id),
  };
  const options: TelegramOptions = {
    network,
    dialler: new Dialler(new DcAddresses(clock, (changes.network ?? network).dcs)),
    loginStore,
    clock,
    random: createSeededRandomness(1, clock),
    log: (level, message, fields) => void log.push(JSON.stringify({ level, message, ...fields })),
    device: { model: 'test', systemVersion: '1', appVersion: '1' },
    ...changes,
  };

  const scene: Scene = {
    sandbox,
    clock,
    options,
    logins,
    log,
    telegram: createTelegram(options),
    link: (sessionId) => observe(scene.telegram, sessionId),
    async loggedIn(sessionId, userId) {
      const link = scene.link(sessionId);
      link.startQrLogin(1);
      await scan(scene, (await link.next('QrIssued')).link, userId);
      await link.next('LoggedIn');
      return link;
    },
    control: (method, path, body) => callControl(sandbox.url, method, path, body),
    async live(ms) {
      await passTime(clock, ms);
      // The sandbox works on pictures on other threads, which no turns stand for.
      await scene.control('GET', '/stats');
    },
    async restart() {
      await scene.telegram.close();
      scene.telegram = createTelegram(options);
    },
    async close() {
      await scene.telegram.close();
      if (shared === undefined) await sandbox.close();
    },
  };
  return scene;
}

export async function scan(scene: Scene, link: string, userId: string): Promise<void> {
  await scene.control('POST', '/qr/scan', { link, userId });
}

function observe(telegram: Telegram, sessionId: string): Observed {
  const facts: TelegramFact[] = [];
  const taken = new Set<TelegramFact>();
  const waiting: (() => void)[] = [];
  const link = telegram.createTelegramSession(sessionId, async (fact) => {
    facts.push(fact);
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    tryProxy: (url) => link.tryProxy(url),
    useProxy: () => link.useProxy(),
    startQrLogin: (login) => link.startQrLogin(login),
    awaitCode: (login) => link.awaitCode(login),
    logIn: (login, request) => link.logIn(login, request),
    sendCode: (login, phone) => link.sendCode(login, phone),
    submitCode: (login, code) => link.submitCode(login, code),
    awaitPassword: (login) => link.awaitPassword(login),
    connect: (login) => link.connect(login),
    submitPassword: (login, password) => link.submitPassword(login, password),
    exportLogin: (login, format) => link.exportLogin(login, format),
    keepLogin: (login) => link.keepLogin(login),
    loginKept: () => link.loginKept(),
    dropLogin: () => link.dropLogin(),
    loginDropped: () => link.loginDropped(),
    logOut: () => link.logOut(),
    giveUpLogOuts: () => link.giveUpLogOuts(),
    close: () => link.close(),
    sessionId,
    facts,
    async next<T extends TelegramFact['type']>(type: T) {
      for (;;) {
        const fact = facts.find((candidate) => candidate.type === type && !taken.has(candidate));
        if (fact !== undefined) {
          taken.add(fact);
          return fact as FactOf<T>;
        }
        await new Promise<void>((resolve) => void waiting.push(resolve));
      }
    },
    account() {
      const account = telegram.accounts.get(sessionId);
      if (account === undefined) throw new Error(`${sessionId} is not connected`);
      return account;
    },
  };
}

async function callControl<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(new URL(path, url), {
    method,
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer: unknown = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer as T;
}

/** Lets input and output happen until something is so; the test's own time limit ends it otherwise. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => void setTimeout(resolve, 2));
}

/** What became of a promise so far. */
export function watch(promise: Promise<unknown>): { settled: 'no' | 'resolved' | 'rejected'; error: unknown } {
  const seen: ReturnType<typeof watch> = { settled: 'no', error: undefined };
  promise.then(
    () => {
      seen.settled = 'resolved';
    },
    (error: unknown) => {
      seen.settled = 'rejected';
      seen.error = error;
    },
  );
  return seen;
}
