import { type AddressInfo, isIPv6 } from 'node:net';
import { onTestFinished } from 'vitest';
import { type Hops, openHops } from '../../../src/hop/hops.ts';
import { createMetrics } from '../../../src/metrics/operator-metrics.ts';
import { LoginsOfAccount } from '../../../src/telegram/gramjs/sending/logins-of-account.ts';
import type { SentMessages } from '../../../src/telegram/gramjs/sending/sent-messages.ts';
import { KeysInUse } from '../../../src/telegram/login/keys-in-use.ts';
import type { TelegramAccount } from '../../../src/telegram/port/account.ts';
import { createPlainSealer } from '../actors/plain-sealer.ts';
import { type SessionHeaders, startTestApp, type TestApp } from '../gateway/http-app.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../kit/clock.ts';
import { textAccount } from '../messaging/text-account.ts';
import { createLateStore, type LateStore } from '../store/late-store.ts';
import { createMemoryStore } from '../store/memory-store.ts';
import { Owners, ScriptedCluster } from './scripted-cluster.ts';

export const clusterKey = 'a key that all nodes of the test share';

interface TestNode {
  name: string;
  gate: TestApp;
  cluster: ScriptedCluster;
  hops: Hops;
  url: string;
  /** What the node hears of the store may be held up. */
  store: LateStore;
  /** What became of requests that it passed on. */
  outcomes: string[];
  logins: KeysInUse;
  sends: LoginsOfAccount<SentMessages>;
}

export interface TwoNodes {
  clock: DrivenClock;
  owners: Owners;
  /** New sessions are `one`'s, unless `two` creates them. */
  one: TestNode;
  two: TestNode;
}

export interface TwoNodesWithSession {
  nodes: TwoNodes;
  /** Of a connected session, which is `one`'s. */
  headers: SessionHeaders;
  account: TelegramAccount;
  /** The texts that the account has sent. */
  sent: string[];
}

export async function openTwoNodesWithSession(): Promise<TwoNodesWithSession> {
  const nodes = await openTwoNodes();
  const sent: string[] = [];
  const account = textAccount(sent);
  const headers = await nodes.one.gate.session();
  await nodes.one.gate.connect(headers, account);
  return { nodes, headers, account, sent };
}

/** Sends a text of the session to a node. @param more headers */
export const sendText = (
  { url }: { url: string },
  session: SessionHeaders,
  text: string,
  more: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> =>
  fetch(`${url}/message`, {
    method: 'POST',
    signal: signal ?? null,
    headers: { ...session, 'content-type': 'application/json', ...more },
    body: JSON.stringify({ user: '1002', type: 'text', text }),
  });

/**
 * Two apps over loopback, on one store; who owns which session is what the test says.
 * @param host an address of loopback
 */
export async function openTwoNodes(host = '127.0.0.1'): Promise<TwoNodes> {
  const clock = createDrivenClock();
  const common = createMemoryStore(clock);
  const sealer = createPlainSealer();
  const owners = new Owners();
  const open = async (name: string, seed: number): Promise<TestNode> => {
    const cluster = new ScriptedCluster(name, owners, clock.now());
    const outcomes: string[] = [];
    const store = createLateStore(common);
    const metrics = createMetrics();
    const random = createSeededRandomness(seed + 100, clock);
    const logins = new KeysInUse();
    const sends = new LoginsOfAccount<SentMessages>();
    const hops: Hops = openHops({
      logins,
      haveAllStarted: () => gate.sessions.haveAllStarted(),
      sends,
      cluster,
      clusterKey,
      clock,
      random,
      onForwarded: (outcome) => {
        outcomes.push(outcome);
        metrics.counts.forwarded(outcome);
      },
    });
    const gate: TestApp = await startTestApp(
      { cluster, clusterKey, hops, readMetrics: () => metrics.read() },
      { clock, store, sealer, seed, ownership: cluster },
    );
    await gate.app.listen({ host, port: 0 });
    const url = `http://${isIPv6(host) ? `[${host}]` : host}:${(gate.app.server.address() as AddressInfo).port}`;
    Object.assign(cluster.self, { url });
    onTestFinished(async () => {
      store.release();
      await hops.close();
      gate.app.server.closeAllConnections();
      await gate.close();
    });
    return { name, gate, cluster, hops, url, store, outcomes, logins, sends };
  };
  return { clock, owners, one: await open('one', 1), two: await open('two', 2) };
}
