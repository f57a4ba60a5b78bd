import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';

/**
 * The stream that says up to where the sessions' own logs are recorded for their receivers. Its last event counts. What a
 * crash loses of it is looked at again, and recorded once all the same.
 */
export const followedStream = 'followed';
/** The same for the sessions of one partition, among several nodes. */
export const followedStreamOf = (partition: number): string => `${followedStream}-${partition}`;

interface FollowedEventContent {
  type: 'FollowedUpTo';
  /** Position of the store. */
  data: { position: string };
  /** When it was saved, milliseconds since 1970. */
  metadata: { at: number };
}

const data = { FollowedUpTo: Type.Object({ position: Type.String({ pattern: String.raw`^\d{1,20}$` }) }) };
const metadata = Type.Object({ at: Type.Number() });

/** Reads the events of `followed`, and of `followed-{partition}`. */
export const followedCodec = createEventCodec<FollowedEventContent, typeof data, typeof metadata>({
  kind: 'followed',
  upcasters: [],
  data,
  metadata,
});
