import { randomUUID } from 'node:crypto';
import { KurrentDbDouble } from '../kurrentdb-double/server.ts';
import { watchUsedStreams } from '../kurrentdb-double/used-streams.ts';

/** A KurrentDB server, and what the names of the streams there begin with that are a test's own. */
export interface KurrentPlace {
  readonly url: string;
  readonly streamPrefix: string;
}

/** The place of one test. */
export interface OwnKurrentPlace extends KurrentPlace {
  /** The server, if it is the test's own: it can be stopped, and started again with what it has. */
  readonly double: KurrentDbDouble | undefined;
  /** Removes what was written there. */
  remove(): Promise<void>;
}

/** The whole of a server that is a test's own. */
export const placeOn = ({ url }: { url: string }): KurrentPlace => ({ url, streamPrefix: '' });

/** A server that others may use: nothing on it is touched but streams of the test's own. Undefined: none is given. */
const realServer = process.env['KURRENTDB_TEST_URL'];

/** On the server of `KURRENTDB_TEST_URL`, under a prefix that nobody else uses; without it, a server of the test's own. */
export async function openKurrentPlace(): Promise<OwnKurrentPlace> {
  if (realServer === undefined) {
    const double = await new KurrentDbDouble().start();
    return { url: double.url, streamPrefix: '', double, remove: () => double.stop() };
  }
  const streamPrefix = `test_${randomUUID().slice(0, 13)}-`;
  const remove = await watchUsedStreams(realServer, streamPrefix);
  return { url: realServer, streamPrefix, double: undefined, remove };
}
