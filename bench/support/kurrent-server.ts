import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { systemClock, systemRandomness } from '../../src/config/clock.ts';
import { openKurrentStore } from '../../src/store/events/kurrent/kurrent-store.ts';
import { startProgram } from './child-program.ts';
import { openWriteModelOn, type WriteModel } from './write-model.ts';

/** A KurrentDB server to measure against, and the bare client on it. */
export interface KurrentServer {
  bare: KurrentDBClient;
  /** A new write model on a new store of ours; the caller closes both. */
  openModel: () => WriteModel;
}

/** The tests' server, empty, in a process of its own: its CPU time is neither ours nor the bare client's. */
export async function withKurrentServer<T>(work: (server: KurrentServer) => Promise<T>): Promise<T> {
  const server = await startProgram('test/support/kurrentdb-double/program', {});
  const bare = KurrentDBClient.connectionString(server.url);
  const openModel = (): WriteModel =>
    openWriteModelOn(openKurrentStore({ url: server.url, clock: systemClock, randomness: systemRandomness }));
  try {
    return await work({ bare, openModel });
  } finally {
    await bare.dispose();
    await server.end();
  }
}
