import { GatewayError } from '../../errors/gateway-error.ts';
import type { ConnectedReader } from '../../webhook/readers/connected-reader.ts';
import type { Reader } from '../../webhook/readers/reader.ts';
import { TooManyReadersError } from '../../webhook/readers/reader-book.ts';
import { maxReaders } from '../../webhook/readers/reader-events.ts';
import { endOfDeliveries } from '../../webhook/stream/read-deliveries.ts';
import type { AppDeps } from '../shared/app-types.ts';
import type { EventStreams } from '../shared/event-stream.ts';
import type { ReaderWish } from './reader-wish.ts';

export type ReaderDeps = Pick<
  AppDeps,
  'readers' | 'recording' | 'store' | 'clock' | 'randomness' | 'sealer' | 'views' | 'mediaLinks' | 'reportUnreadable'
> & { streams: EventStreams };

/**
 * A reader comes: its wish is recorded for from here on.
 * @param after the number of the last event that it has; undefined: it goes on at its place
 * @throws {GatewayError} 400 {@link StoreUnavailableError}
 */
export async function joinReader(
  deps: ReaderDeps,
  sessionId: string,
  { name, filter, first }: ReaderWish,
  after: number | undefined,
  connection: ConnectedReader,
): Promise<Reader> {
  const { readers, recording } = deps;
  try {
    const from = await numberInStream(deps, sessionId, after);
    const reader = await readers.join(sessionId, { name, ...filter }, from, connection, first);
    recording.webhookSet(sessionId);
    return reader;
  } catch (error) {
    if (!(error instanceof TooManyReadersError)) throw error;
    throw new GatewayError(400, `a session has up to ${maxReaders} readers`);
  }
}

/** A number that the stream has not come to is no place in it: events up to there are still to come, and would be missed. */
async function numberInStream(deps: ReaderDeps, sessionId: string, after?: number): Promise<number | undefined> {
  if (after === undefined) return undefined;
  const end = await endOfDeliveries(deps, sessionId);
  return after <= (end?.seq ?? 0) ? after : undefined;
}
