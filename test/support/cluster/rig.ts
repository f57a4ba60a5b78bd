import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../clients/free-port.ts';
import { type BuiltProgram, buildProgram, type PreparedStart, programIn } from '../gateway/built-program.ts';
import { onKurrentDbAt } from '../gateway/kurrentdb-environment.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../kit/temporary-folder.ts';
import { type CutProxy, openCutProxy } from './cut-proxy.ts';
import { LeaseWatch } from './lease-watch.ts';
import { ownedPartitions } from './owned-partitions.ts';

const pollMs = 50;
const partitions = 64;
/** A node has its share when it has this much of an even one. Hashing gives one of three nodes less than half once in 200 starts. */
const shareOfEven = 0.25;
/** The folder of a build of another version. If it is given, every other start is one of it. */
const otherBuild = process.env['CLUSTER_OTHER_BUILD'];
const firstAddress = 20;
const doubleFile = fileURLToPath(new URL('../kurrentdb-double/program.ts', import.meta.url));

/** A gateway of the rig: it keeps its address and its folder over restarts. */
export interface RigNode {
  readonly url: string;
  /** From which it connects to Telegram. */
  readonly address: string;
  readonly toStore: CutProxy;
  /** Undefined while it is dead. */
  running: PreparedStart | undefined;
  /** Whether it is alive, not standing still and not cut off. */
  isWell: boolean;
  /** Whether callers ask it: a balancer leaves out what is not ready. */
  takesRequests: boolean;
  /** Of which version: 0 is this one. */
  version: number;
  /** Another one after each start. */
  name: string;
}

/** Three gateways of the built program, and a KurrentDB server, all processes of their own. */
export class Rig {
  readonly nodes: RigNode[] = [];
  readonly storeUrl: string;
  readonly #double: ChildProcess;
  readonly #leases: LeaseWatch;
  readonly #folders: TemporaryFolder[] = [];
  readonly #programs: readonly BuiltProgram[];
  readonly #environment: Record<string, string>;
  #starts = 0;

  private constructor(
    programs: readonly BuiltProgram[],
    double: ChildProcess,
    storeUrl: string,
    environment: Record<string, string>,
  ) {
    this.#programs = programs;
    this.#double = double;
    this.storeUrl = storeUrl;
    this.#leases = new LeaseWatch(storeUrl);
    this.#environment = environment;
  }

  static async open(environment: Record<string, string>): Promise<Rig> {
    const programs = [await buildProgram(), ...(otherBuild === undefined ? [] : [programIn(otherBuild)])];
    const double = spawn(process.execPath, ['--import', 'tsx', doubleFile], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [{ url }] = (await once(double, 'message')) as [{ url: string }];
    const rig = new Rig(programs, double, url, environment);
    for (let number = 0; number < 3; number += 1) await rig.#add();
    await Promise.all(rig.nodes.map((node) => rig.start(node)));
    return rig;
  }

  async #add(): Promise<void> {
    const folder = await createTemporaryFolder();
    this.#folders.push(folder);
    const { port: storePort } = new URL(this.storeUrl.replace(/^kurrentdb:/, 'http:'));
    const toStore = await openCutProxy(Number(storePort));
    const url = `http://127.0.0.1:${await freePort()}`;
    const address = `127.0.0.${firstAddress + this.nodes.length}`;
    this.nodes.push({
      url,
      address,
      toStore,
      running: undefined,
      isWell: false,
      takesRequests: true,
      version: 0,
      name: '',
    });
  }

  /** Starts it; resolves when it is ready. */
  async start(node: RigNode): Promise<void> {
    const number = this.nodes.indexOf(node);
    const storeUrl = this.storeUrl.replace(/:\d+(?=[/?]|$)/, `:${node.toStore.port}`);
    node.version = this.#starts % this.#programs.length;
    const program = this.#programs[node.version] as BuiltProgram;
    this.#starts += 1;
    node.running = program.prepare({
      ...onKurrentDbAt({ url: storeUrl, streamPrefix: '' }),
      ...this.#environment,
      DATA_DIR: this.#folders[number]?.path ?? '',
      PORT: new URL(node.url).port,
      NODE_URL: node.url,
      CLUSTER_KEY: 'a key that all nodes of this test have',
      LOCAL_ADDRESS: node.address,
      LOG_LEVEL: 'info',
    });
    await node.running.run();
    node.isWell = true;
    while (!(await this.isReady(node))) await pause(pollMs);
    node.name = await nameOf(node.url);
  }

  /** Whether it says that it is ready: a node that was cut off from the store is not, for a moment. */
  async isReady({ url }: RigNode): Promise<boolean> {
    return (await statusOf(`${url}/health/ready`)) === 200;
  }

  /** As {@link LeaseWatch.takenFrom}. */
  takenFrom({ name }: RigNode, maxMs?: number): Promise<number | undefined> {
    return this.#leases.takenFrom(name, maxMs);
  }

  /** Resolves when each node that is well has its share. */
  async shared(): Promise<void> {
    for (;;) {
      const owned = await this.#owned();
      const least = (partitions / owned.length) * shareOfEven;
      if (owned.reduce((sum, count) => sum + count, 0) === partitions && owned.every((count) => count >= least)) return;
      await pause(pollMs);
    }
  }

  /** How many partitions each node that is well owns. */
  #owned(): Promise<number[]> {
    return Promise.all(this.nodes.filter(({ isWell }) => isWell).map(({ url }) => ownedPartitions(url)));
  }

  async end(node: RigNode, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    node.isWell = false;
    node.running?.child.kill(signal);
    await node.running?.ended;
    node.running = undefined;
  }

  async close(): Promise<void> {
    for (const { running } of this.nodes) running?.child.kill('SIGKILL');
    await Promise.all(this.nodes.map(async ({ running }) => await running?.ended));
    await this.#leases.close();
    this.#double.kill('SIGTERM');
    await Promise.all(this.nodes.map(({ toStore }) => toStore.close()));
    await Promise.all(this.#folders.map((folder) => folder.remove()));
  }
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}

async function nameOf(url: string): Promise<string> {
  const response = await fetch(`${url}/nodes`);
  const { docs } = (await response.json()) as { docs: { name: string; self: boolean }[] };
  const self = docs.find(({ self: isSelf }) => isSelf);
  if (self === undefined) throw new Error(`${url} does not say its name`);
  return self.name;
}
