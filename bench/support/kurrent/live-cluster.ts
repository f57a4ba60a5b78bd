import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChildProgram, cpuMsDuring, startProgram } from '../child-program.ts';
import { withLiveGateway } from '../live-gateway.ts';
import { inTemporaryFolder, masterKey } from '../write-model.ts';
import { type KurrentServer, withKurrentServer } from './kurrent-server.ts';

/** Several gateways on one KurrentDB server, and one that is alone on another: all on one sandbox, each a process of its own. */
export interface LiveCluster {
  nodes: readonly ChildProgram[];
  alone: ChildProgram;
  sandbox: ChildProgram;
  server: KurrentServer;
}

const partitions = 64;
/** Partitions move one at a time, with thousands of sessions one in two seconds: if none has moved for this long, all are placed. */
const restMs = 10_000;
const pollMs = 250;
/** With thousands of sessions, this takes a minute or two. */
const maxPlacingMs = 10 * 60_000;

/**
 * @param count of the nodes. Each has its share of the partitions when the work begins.
 * @param prepare is done before the first of them starts. Default: nothing
 */
export async function withLiveCluster<T>(
  count: number,
  work: (cluster: LiveCluster) => Promise<T>,
  prepare: (before: Pick<LiveCluster, 'sandbox' | 'server'>) => Promise<void> = async () => {},
): Promise<T> {
  return withKurrentServer((server) =>
    withKurrentServer((other) =>
      withLiveGateway(
        ({ gateway: alone, sandbox }) =>
          inTemporaryFolder(async (folder) => {
            const nodes: ChildProgram[] = [];
            try {
              await prepare({ sandbox, server });
              for (let number = 1; number <= count; number++) {
                nodes.push(await startNode(join(folder, `node-${number}`), sandbox, server));
              }
              await placed(nodes);
              return await work({ nodes, alone, sandbox, server });
            } finally {
              await Promise.all(nodes.map((node) => node.end()));
            }
          }),
        settingsOn(other),
      ),
    ),
  );
}

/** CPU time that some programs spend together while `work` is done, in milliseconds. */
export function cpuMsOfAll([first, ...others]: readonly ChildProgram[], work: () => Promise<unknown>): Promise<number> {
  if (first === undefined) return work().then(() => 0);
  let ofOthers = 0;
  const ofFirst = cpuMsDuring(first, async () => {
    ofOthers = await cpuMsOfAll(others, work);
  });
  return ofFirst.then((ms) => ms + ofOthers);
}

async function startNode(folder: string, sandbox: ChildProgram, server: KurrentServer): Promise<ChildProgram> {
  mkdirSync(folder);
  const port = await unusedPort();
  const environment = {
    ...settingsOn(server),
    DATA_DIR: folder,
    TELEGRAM_SANDBOX_URL: sandbox.url,
    PORT: String(port),
    NODE_URL: `http://127.0.0.1:${port}`,
    CLUSTER_KEY: 'a key that all nodes of this bench have',
  };
  return startProgram('src/programs/cli', environment, [], ['start']);
}

const settingsOn = ({ url, streamPrefix }: KurrentServer): Record<string, string> => ({
  EVENT_STORE_URL: url,
  STREAM_PREFIX: streamPrefix,
  MASTER_KEY: masterKey.toString('base64'),
  MEDIA_LINK_KEYS: masterKey.toString('base64'),
});

/**
 * Resolves when all partitions are owned, and none moves any more.
 * @throws Error that takes too long
 */
async function placed(nodes: readonly ChildProgram[]): Promise<void> {
  const from = performance.now();
  let last = '';
  let restSince = from;
  for (;;) {
    const owned = await Promise.all(nodes.map(({ url }) => ownedBy(url)));
    const now = owned.join(' ');
    if (now !== last || !areShared(owned)) restSince = performance.now();
    if (performance.now() - restSince >= restMs) return;
    if (performance.now() - from > maxPlacingMs) throw new Error(`the partitions are not placed: ${now}`);
    last = now;
    await sleep(pollMs);
  }
}

/**
 * With thousands of sessions, the first node begins to give partitions away late. Which node has a partition is up to a hash: one of
 * 300 clusters has a node with less than half of its share, and fewer than one of 100,000 has one with less than a quarter.
 */
function areShared(owned: readonly number[]): boolean {
  const leastShare = partitions / owned.length / 4;
  return owned.every((own) => own > leastShare) && owned.reduce((sum, own) => sum + own, 0) === partitions;
}

async function ownedBy(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^gateway_owned_partitions (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** The other nodes have to know a node's port before it listens. */
async function unusedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
