import { KurrentDBClient } from '@kurrent/kurrentdb-client';
import { systemClock, systemRandomness } from '../../../src/config/clock.ts';
import { openStore } from '../../../src/store/events/open-store.ts';
import { startProgram } from '../child-program.ts';
import { openWriteModelOn, type WriteModel } from '../write-model.ts';
import { newestPosition, removeStreams } from './kurrent-streams.ts';

/** A KurrentDB server to measure against, and the bare client on it. */
export interface KurrentServer {
  /** Its connection string. */
  url: string;
  /** For the table. */
  description: string;
  bare: KurrentDBClient;
  /** Every stream name of this run begins with it, those of the bare client too. */
  streamPrefix: string;
  /** A new write model on a new store of ours; the caller closes both. */
  openModel: () => Promise<WriteModel>;
}

/**
 * The server that KURRENTDB_TEST_URL names: what the run writes there is removed when it ends. Without it, the tests'
 * server, empty, in a process of its own: its CPU time is neither ours nor the bare client's.
 */
export async function withKurrentServer<T>(work: (server: KurrentServer) => Promise<T>): Promise<T> {
  const realServer = process.env['KURRENTDB_TEST_URL'] ?? '';
  if (realServer === '') {
    const program = await startProgram('test/support/kurrentdb-double/program', {});
    try {
      return await useServer(program.url, 'the tests’ server', work);
    } finally {
      await program.end();
    }
  }
  return useServer(realServer, 'the server of KURRENTDB_TEST_URL', async (server) => {
    const before = await newestPosition(server.bare);
    try {
      return await work(server);
    } finally {
      await removeStreams(server.bare, server.streamPrefix, before);
    }
  });
}

async function useServer<T>(url: string, description: string, work: (server: KurrentServer) => Promise<T>): Promise<T> {
  const bare = KurrentDBClient.connectionString(url);
  const streamPrefix = `bench-${systemRandomness.bytes(6).toString('hex')}-`;
  const openModel = async (): Promise<WriteModel> =>
    openWriteModelOn(await openStore(url, { clock: systemClock, randomness: systemRandomness, streamPrefix }));
  try {
    return await work({ url, description, bare, streamPrefix, openModel });
  } finally {
    await bare.dispose();
  }
}
