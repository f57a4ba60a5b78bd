import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { leaseTimes } from '../../../src/cluster/leases/lease-times.ts';
import { partitionCount } from '../../../src/cluster/partitions.ts';
import { freePort } from '../clients/free-port.ts';
import {
  type GatewayBuild,
  httpClient,
  startTestGateway,
  type TestGateway,
  type TestGatewayOptions,
  thisBuild,
} from '../gateway/gateway.ts';
import type { DrivenClock } from '../kit/clock.ts';
import { passTime, whileTimePasses } from '../kit/passing-time.ts';
import { ownedPartitions } from './owned-partitions.ts';

/** With `TEST_NODES=2` the gateway of every scene is two nodes of one KurrentDB server. */
export const onTwoNodes = process.env['TEST_NODES'] === '2';

/** The folder of a build of another version: the second node is one of it. Default: both are of this version. */
export const otherBuild = process.env['TEST_OTHER_BUILD'];

/** A node has about half of the partitions when it has this many. */
const fairShare = 20;

/** Renewals are work in each hour that a test lets pass. */
const leaseSeconds = 300;

/** Two nodes that look like one gateway: each request goes to the node that the one before did not go to. */
export async function startNodePair(options: TestGatewayOptions): Promise<TestGateway> {
  const { environment } = options;
  const clock = withWallClockStanding(drivenClockOf(options));
  const during = <T>(work: Promise<T>): Promise<T> => whileTimePasses(clock, work);
  const start = async (number: number, build: GatewayBuild, dataDir?: string): Promise<TestGateway> => {
    const port = await freePort();
    const node = {
      PORT: String(port),
      NODE_URL: `http://127.0.0.1:${port}`,
      CLUSTER_KEY: 'a key that both nodes of this test have',
      LEASE_SECONDS: String(leaseSeconds),
      LOCAL_ADDRESS: `127.0.0.${10 + number}`,
    };
    return await during(
      startTestGateway({
        ...options,
        build,
        ...(dataDir !== undefined && { dataDir }),
        environment: { ...environment, ...node },
      }),
    );
  };
  const first = await start(0, thisBuild, options.dataDir);
  // It goes with the first one's.
  const second = await start(1, await secondBuild(), join(first.dataDir, 'second-node'));
  const nodes = [first, second] as const;
  const ended = (of: (node: TestGateway) => Promise<void>): Promise<unknown> => during(Promise.all(nodes.map(of)));
  await ended(({ started }) => started);
  await untilSettled(clock, nodes, environment?.['API_KEY']);

  let asked = 0;
  const nextUrl = (): string => {
    asked += 1;
    return nodes[asked % nodes.length]?.url ?? '';
  };
  return {
    ...first,
    get url() {
      return nextUrl();
    },
    http: { request: (...request) => httpClient(nextUrl()).request(...request) },
    crash: async () => void (await ended((node) => node.crash())),
    close: async (draining) => void (await ended((node) => node.close(draining))),
  };
}

function drivenClockOf({ clock }: TestGatewayOptions): DrivenClock {
  if (clock === undefined || !('advance' in clock)) throw new Error('two nodes need a driven clock');
  return clock as DrivenClock;
}

/** The sandbox has the machine's wall clock, so that of the nodes must not be minutes ahead of it. */
const withWallClockStanding = (clock: DrivenClock): DrivenClock => ({
  ...clock,
  advance(byMs) {
    clock.setWallClockBy(-byMs);
    return clock.advance(byMs);
  },
});

async function secondBuild(): Promise<GatewayBuild> {
  if (otherBuild === undefined) return thisBuild;
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(otherBuild, 'dist/src', file)).href);
  const { startGateway } = (await load('compose/gateway.js')) as Pick<GatewayBuild, 'startGateway'>;
  const { readConfig } = (await load('config/config.js')) as Pick<GatewayBuild, 'readConfig'>;
  return { startGateway, readConfig };
}

/** Until each node has its share, and no partition moves any more: a request that lasts does not outlive a move. */
async function untilSettled(clock: DrivenClock, nodes: readonly TestGateway[], apiKey?: string): Promise<void> {
  const { moveMs } = leaseTimes(leaseSeconds * 1_000);
  const count = (): Promise<number[]> =>
    whileTimePasses(clock, Promise.all(nodes.map(({ url }) => ownedPartitions(url, apiKey))));
  for (let owned = await count(), before: number[] = []; !areShared(owned) || !isDeepStrictEqual(owned, before); ) {
    before = owned;
    await passTime(clock, 3 * moveMs);
    owned = await count();
  }
}

const areShared = (owned: readonly number[]): boolean =>
  owned.every((count) => count >= fairShare) && owned.reduce((sum, count) => sum + count, 0) === partitionCount;
