import {
  type AppendResult,
  type JSONEventData,
  type JSONType,
  type KurrentDBClient,
  NO_STREAM,
} from '@kurrent/kurrentdb-client';
import type { RecordedEvent } from '../../actors/ports/event-store.ts';
import { systemRandomness } from '../../src/config/clock.ts';

/** Events that are appended one after the other to a stream of their own. */
export interface BareStream {
  name: string;
  events: JSONEventData[];
}

/** Copies of the events, by stream, for streams of other names: of the same length as ours, behind the same prefix. */
export function bareStreamsOf(streamPrefix: string, events: Iterable<RecordedEvent>): BareStream[] {
  const streams = new Map<string, BareStream>();
  for (const { stream, type, data, metadata } of events) {
    const bare = streams.get(stream) ?? {
      name: `${streamPrefix}b${stream.slice(1, -12)}${randomDigits()}`,
      events: [],
    };
    streams.set(stream, bare);
    bare.events.push({
      id: systemRandomness.uuid(),
      type,
      contentType: 'application/json',
      data: Object(data) as JSONType,
      metadata: Object(metadata) as JSONType,
    });
  }
  return [...streams.values()];
}

/** Appends with the client alone: each event after the one before it, up to `sideBySide` streams at a time. */
export async function appendBare(
  client: KurrentDBClient,
  streams: readonly BareStream[],
  sideBySide: number,
): Promise<void> {
  const left = streams.values();
  const one = async (): Promise<void> => {
    for (const { name, events } of left) {
      let revision: bigint | typeof NO_STREAM = NO_STREAM;
      for (const event of events) {
        const { nextExpectedRevision }: AppendResult = await client.appendToStream(name, event, {
          streamState: revision,
          requiresLeader: true,
        });
        revision = nextExpectedRevision;
      }
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, one));
}

const randomDigits = (): string => systemRandomness.bytes(6).toString('hex');
