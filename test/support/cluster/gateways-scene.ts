import { onTestFinished } from 'vitest';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { partitionCount } from '../../../src/cluster/partitions.ts';
import { freePort } from '../clients/free-port.ts';
import { readQr, startTestGateway, type TestGateway } from '../gateway/gateway.ts';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import { createDrivenClock, type DrivenClock } from '../kit/clock.ts';
import { passTime, settleNetwork, whileTimePasses } from '../kit/passing-time.ts';
import { KurrentDbDouble } from '../kurrentdb-double/server.ts';
import { controlOf, startLocalSandbox, type TestSandbox } from '../sandbox/sandbox.ts';
import { placeOn } from '../store/kurrent-place.ts';
import { ownedPartitions } from './owned-partitions.ts';

/** What a caller holds of a session. */
export interface ConnectedCaller {
  id: string;
  headers: { id: string; 'session-id': string };
  /** Of its account. */
  userId: string;
}

/** Gateways in this process that share a KurrentDB server, each on a loopback address of its own. Their time is driven. */
export interface GatewaysScene {
  readonly clock: DrivenClock;
  readonly sandbox: Omit<TestSandbox, 'close'>;
  readonly telegram: Sandbox;
  readonly server: KurrentDbDouble;
  /** Starts one more, and waits until it is ready. */
  join(environment?: Record<string, string>): Promise<TestGateway>;
  /** Starts a gateway that is no node, and ends it. @throws why it did not start */
  startAlone(environment: Record<string, string>): Promise<'started'>;
  /** A new session, connected. @param account its user ID. Default: a new account */
  connected(through: TestGateway, account?: string): Promise<ConnectedCaller>;
  /** Lets time pass. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until the work has ended. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Lets time pass until the test is true. @returns for how many milliseconds */
  until(test: () => boolean | Promise<boolean>): Promise<number>;
  /** How many partitions each of these owns, by its metrics. */
  owned(...gateways: TestGateway[]): Promise<number[]>;
  /** Login keys that the sandbox has dropped because they were used from two addresses. */
  doublyUsedKeys(): Promise<number>;
}

async function newAccount(sandbox: Omit<TestSandbox, 'close'>): Promise<string> {
  const { userId } = await sandbox.call<{ userId: string }>('POST', '/accounts', { firstName: 'Eve', dc: 2 });
  return userId;
}

export async function openGatewaysScene(): Promise<GatewaysScene> {
  const clock = createDrivenClock({ startAt: Date.now() });
  const server = await new KurrentDbDouble().start();
  onTestFinished(() => server.stop());
  const telegram = await startLocalSandbox();
  onTestFinished(() => telegram.close());
  const sandbox = controlOf(telegram.url);
  let joined = 0;
  const during = <T>(work: Promise<T>): Promise<T> => whileTimePasses(clock, work);
  const scene: GatewaysScene = {
    clock,
    sandbox,
    telegram,
    server,
    async join(environment = {}) {
      joined += 1;
      const port = await freePort();
      const starting = startTestGateway({
        sandbox,
        clock,
        environment: {
          ...onKurrentDbAt(placeOn(server)),
          PORT: String(port),
          NODE_URL: `http://127.0.0.1:${port}`,
          CLUSTER_KEY: 'a key that all nodes of this test have',
          LOCAL_ADDRESS: `127.0.0.${10 + joined}`,
          ...environment,
        },
      });
      const gateway = await during(starting);
      onTestFinished(() => during(gateway.close()));
      await during(gateway.started);
      return gateway;
    },
    async startAlone(environment) {
      const gateway = await startTestGateway({ sandbox, clock, environment });
      onTestFinished(() => during(gateway.close()));
      await gateway.started;
      return 'started';
    },
    async connected({ http }, account) {
      const userId = account ?? (await newAccount(sandbox));
      const { body } = await during(http.request('POST', '/session'));
      const headers = { id: String(body['id']), 'session-id': String(body['sessionId']) };
      let link = '';
      await scene.until(async () => {
        const { body: session } = await during(http.request('GET', '/session', { headers }));
        const { qrcode = '', isConnected } = session;
        const shown = qrcode === '' ? '' : await readQr(String(qrcode));
        if (shown !== '' && shown !== link) await sandbox.scan(shown, userId);
        link = shown;
        return isConnected === true;
      });
      return { id: headers.id, headers, userId };
    },
    pass: (ms) => passTime(clock, ms),
    during,
    async until(test) {
      const from = clock.elapsed();
      for (await settleNetwork(); !(await during(Promise.resolve(test()))); await settleNetwork()) {
        const dueAt = clock.nextDueAt();
        if (dueAt !== undefined) await clock.advance(dueAt - clock.now());
      }
      return clock.elapsed() - from;
    },
    owned: (...gateways) => Promise.all(gateways.map(({ url }) => ownedPartitions(url))),
    doublyUsedKeys: async () => (await sandbox.call<{ duplicatedLogins: number }>('GET', '/stats')).duplicatedLogins,
  };
  return scene;
}

/** Longer than from one move of a partition to the next. */
const quietMs = 2_000;

/** Two gateways that have about half of the partitions each, and move none any more. */
export async function joinTwo(
  scene: GatewaysScene,
  environment?: Record<string, string>,
): Promise<[TestGateway, TestGateway]> {
  const first = await scene.join(environment);
  const second = await scene.join(environment);
  for (let before = 0; ; ) {
    const [ofFirst = 0, ofSecond = 0] = await scene.owned(first, second);
    if (ofSecond > 0 && ofSecond === before && ofFirst + ofSecond === partitionCount) return [first, second];
    before = ofSecond;
    await scene.pass(quietMs);
  }
}
