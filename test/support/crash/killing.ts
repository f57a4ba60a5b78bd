import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from 'vitest';
import { type BuiltProgram, buildProgram, type PreparedStart } from '../gateway/built-program.ts';
import { createSeededRandomness } from '../kit/clock.ts';
import { createTemporaryFolder, type TemporaryFolder } from '../kit/temporary-folder.ts';
import { startTestSandbox, type TestSandbox } from '../sandbox/sandbox.ts';
import { mountSmallDisk, unmountDisk } from './spells.ts';
import { ann, chaos, until } from './writing-people.ts';

/** Gateways of the real program on one data directory, one after the other, beside one sandbox. */
export interface Killing {
  readonly sandbox: TestSandbox;
  readonly dataDir: string;
  /** The next one: its modules are loaded, it does not run yet. */
  prepare(): PreparedStart;
  /** Whether its data are on a small disk of their own, which can be filled. */
  readonly hasSmallDisk: boolean;
  /** `kill -9`; resolves when it is dead. */
  kill(gateway: PreparedStart): Promise<void>;
}

/**
 * Opens it for the tests of a file.
 * @param environment asked whenever a gateway is prepared
 * @param wantsSmallDisk whether the data should be on a disk of their own
 */
export function useKilling(environment: () => Record<string, string> = () => ({}), wantsSmallDisk = false): Killing {
  let program: BuiltProgram;
  let sandbox: TestSandbox;
  let folder: TemporaryFolder;
  let hasSmallDisk = false;
  const running = new Set<PreparedStart>();
  beforeAll(async () => {
    [program, sandbox, folder] = await Promise.all([buildProgram(), startTestSandbox(), createTemporaryFolder()]);
    hasSmallDisk = wantsSmallDisk && mountSmallDisk(folder.path);
  });
  afterAll(async () => {
    for (const { child } of running) child.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    if (hasSmallDisk) unmountDisk(folder.path);
    await Promise.all([sandbox?.close(), folder?.remove()]);
  });
  return {
    get sandbox() {
      return sandbox;
    },
    get dataDir() {
      return folder.path;
    },
    get hasSmallDisk() {
      return hasSmallDisk;
    },
    prepare() {
      const prepared = program.prepare({
        DATA_DIR: folder.path,
        TELEGRAM_SANDBOX_URL: sandbox.url,
        ...environment(),
      });
      running.add(prepared);
      return prepared;
    },
    async kill(gateway) {
      gateway.child.kill('SIGKILL');
      expect(await gateway.ended).toBeNull();
      running.delete(gateway);
    },
  };
}

/** How often the gateway is killed: more often where `KILLS` says so. */
export const killsOr = (usual: number): number => Number(process.env['KILLS'] ?? usual);

/** Draws from a seed that a failure names; `KILL_SEED` draws the same again. */
export async function withKillSeed<T>(test: (chance: () => number) => Promise<T>): Promise<T> {
  const seed = Number(process.env['KILL_SEED'] ?? Date.now() % 2 ** 32);
  const random = createSeededRandomness(seed, { now: () => 0 });
  try {
    return await test(() => random.fraction());
  } catch (error) {
    throw new Error(`with seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

export interface Phones {
  /** Of the gateway: each phone writes so many texts a life, and then waits for the next one. */
  lives: number;
  /** They stop writing after the text that is under way. */
  isOver: boolean;
  /** Resolves when they have stopped. */
  ended: Promise<unknown>;
}

export interface Writing {
  textsALife: number;
  /** So many in all, each phone; for as long as it is not over, where nothing is said. */
  texts?: number;
  longestPauseMs: number;
}

/** Ann and others write to one another on their phones; updates are lost, doubled and turned around, connections cut. */
export function writeOnPhones(
  sandbox: Pick<TestSandbox, 'call'>,
  others: readonly string[],
  { textsALife, texts = Infinity, longestPauseMs }: Writing,
  chance: () => number,
): Phones {
  const phones: Phones = { lives: 1, isOver: false, ended: Promise.resolve() };
  const write = async (other: string, index: number): Promise<void> => {
    for (let count = 1; count <= texts; count += 1) {
      await until(() => count <= phones.lives * textsALife || phones.isOver);
      if (phones.isOver) return;
      const [from, peer] = chance() < 0.3 ? [ann, other] : [other, ann];
      await sandbox.call('POST', `/accounts/${from}/messages`, { peer, text: `phone ${index} ${count}` });
      if (chance() < 0.05) await sandbox.call('POST', '/chaos', { ...chaos(chance()), userId: ann });
      if (chance() < 0.02) await sandbox.call('POST', '/network', { action: 'cut', userId: ann });
      await pause(chance() * longestPauseMs);
    }
  };
  phones.ended = Promise.all(others.map(write));
  return phones;
}
