import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { onTwoNodes, otherBuild, startNodePair } from '../cluster/node-pair.ts';
import { DocumentedAnswers } from '../gateway/documented-answers.ts';
import {
  type Answer,
  readQr,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
} from '../gateway/gateway.ts';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import { createDrivenClock, type DrivenClock } from '../kit/clock.ts';
import { passTime, settleNetwork, whileTimePasses } from '../kit/passing-time.ts';
import { createTemporaryFolder } from '../kit/temporary-folder.ts';
import { controlOf, startLocalSandbox, type TestSandbox } from '../sandbox/sandbox.ts';
import { type KurrentPlace, openKurrentPlace } from '../store/kurrent-place.ts';

/** People of the seeded world. Bob has a two-step password and lives in another data centre. */
export const ann = '1001';
export const bob = '1002';
export const bobsPassword = 'hunter2';

export interface SessionBody extends Record<string, unknown> {
  id: string;
  sessionId: string;
  name: string;
  isConnected: boolean;
  isPasswordRequired: boolean;
  qrcode: string;
}

/** What a caller holds of a session. */
export interface Caller {
  id: string;
  sessionId: string;
  headers: { id: string; 'session-id': string };
}

/** A gateway whose time is driven, and a sandbox; what lies between them, and on the disk, is real. */
export interface Scene {
  readonly sandbox: TestSandbox;
  /** The sandbox itself, for what its control API has no call for. */
  readonly telegram: Sandbox;
  readonly clock: DrivenClock;
  /** The place of the events, if they are not in the gateway's data directory. */
  readonly kurrent: KurrentPlace | undefined;
  gateway: TestGateway;
  request<T = Record<string, unknown>>(
    caller: Caller,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<T>>;
  /** With these headers: an API key of the operator's, say. */
  ask<T = Record<string, unknown>>(
    headers: Record<string, string>,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<Answer<T>>;
  create(body?: object): Promise<Caller>;
  /** `GET /session` until it is as wanted; time stands still meanwhile. */
  read(caller: Caller, wanted?: (session: SessionBody) => boolean): Promise<SessionBody>;
  /** The QR link of a session, as soon as there is one, as a camera reads it. */
  qrLink(caller: Caller, but?: string): Promise<string>;
  /** The account's phone scans the session's QR. */
  scan(caller: Caller, userId: string): Promise<void>;
  /** A new session whose QR that account has scanned, connected. */
  connected(userId?: string): Promise<Caller>;
  /** A new session that waits for Bob's password. */
  awaitingPassword(): Promise<Caller>;
  /** Lets time pass, from timer to timer, with everything that is under way arriving in between. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the work has ended. */
  whilePassing<T>(work: Promise<T>): Promise<T>;
  /** Ends the gateway as a crash does and starts it on what it left. */
  restart(options?: Partial<TestGatewayOptions>): Promise<void>;
  close(): Promise<void>;
}

/** With `TEST_EVENT_STORE=kurrentdb` the events of every scene are on a KurrentDB server instead of the embedded store. */
export const onKurrentDb = onTwoNodes || process.env['TEST_EVENT_STORE'] === 'kurrentdb';

/** A start takes some tens; with a store that is away it does not end. */
const maxStartRounds = 1_000;

export async function openScene(options: Partial<TestGatewayOptions> = {}): Promise<Scene> {
  const clock = createDrivenClock({ startAt: Date.now() });
  const kurrent = onKurrentDb ? await openKurrentPlace() : undefined;
  const environment = {
    ...(kurrent && onKurrentDbAt(kurrent)),
    ...options.environment,
  };
  const own = await startLocalSandbox();
  const sandbox: TestSandbox = { ...controlOf(own.url), close: () => own.close() };
  const folder = await createTemporaryFolder();
  const start = async (more: Partial<TestGatewayOptions> = {}): Promise<TestGateway> => {
    const around = { ...environment, ...more.environment };
    const all = { sandbox, dataDir: folder.path, clock, ...options, ...more, environment: around };
    // The embedded store is one process's.
    const isPair = onTwoNodes && around['EVENT_STORE_URL'] !== '';
    const gateway = await (isPair ? startNodePair(all) : startTestGateway(all));
    if (onKurrentDb) await restored(gateway);
    return gateway;
  };
  /** With KurrentDB a gateway listens before its sessions are restored. */
  const restored = async ({ started }: TestGateway): Promise<void> => {
    const state = { ended: false };
    const end = (): void => {
      state.ended = true;
    };
    started.then(end, end);
    for (let round = 0; !state.ended && round < maxStartRounds; round += 1) await letArrive();
  };
  /** What is due now, and what is on the wire: a poll in between would only hold it up. */
  const letArrive = async (): Promise<void> => {
    await clock.advance(0);
    await settleNetwork();
  };
  const scene: Scene = {
    sandbox,
    telegram: own,
    clock,
    kurrent,
    gateway: await start(),
    request: (caller, method, path, body) => scene.ask(caller.headers, method, path, body),
    async ask(given, method, path, body) {
      const answer = await scene.gateway.http.request(method, path, { headers: given, body });
      const { status, headers } = answer;
      const seen = { status, headers: (name: string) => headers.get(name) ?? undefined, body: answer.body };
      const problems = documents.map((document) => document.problemOf(method, path, seen));
      if (!problems.includes(undefined)) throw new Error(problems[0]);
      return answer as never;
    },
    async create(body) {
      const answer = await scene.gateway.http.request<SessionBody>('POST', '/session', { body });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      const { id, sessionId } = answer.body;
      return { id, sessionId, headers: { id, 'session-id': sessionId } };
    },
    async read(caller, wanted = () => true) {
      for (;;) {
        const { status, body } = await scene.request<SessionBody>(caller, 'GET', '/session');
        if (status !== 200 && body['message'] !== 'session not found') throw new Error(JSON.stringify(body));
        if (status === 404) throw new Error('session not found');
        if (status === 200 && wanted(body)) return body;
        await letArrive();
      }
    },
    async qrLink(caller, but = '') {
      for (;;) {
        const { qrcode } = await scene.read(caller, (session) => session.qrcode !== '');
        const link = await readQr(qrcode);
        if (link !== but) return link;
        await letArrive();
      }
    },
    async scan(caller, userId) {
      await sandbox.scan(await scene.qrLink(caller), userId);
    },
    async connected(userId = ann) {
      const caller = await scene.create();
      await scene.scan(caller, userId);
      await scene.read(caller, (session) => session.isConnected);
      return caller;
    },
    async awaitingPassword() {
      const caller = await scene.create();
      await scene.scan(caller, bob);
      await scene.read(caller, (session) => session.isPasswordRequired);
      return caller;
    },
    pass: (ms) => passTime(clock, ms),
    whilePassing: (work) => whileTimePasses(clock, work),
    async restart(more) {
      await scene.gateway.crash();
      scene.gateway = await start(more);
    },
    async close() {
      await scene.gateway.close();
      await sandbox.close();
      await kurrent?.remove();
      await folder.remove();
    },
  };
  return scene;
}

/** Of this version, and of the node that is of another one. */
const documents = ['.', ...(otherBuild === undefined ? [] : [otherBuild])].map((folder) => {
  const text = readFileSync(join(folder, 'docs/openapi.json'), 'utf8');
  return new DocumentedAnswers(JSON.parse(text) as object);
});
