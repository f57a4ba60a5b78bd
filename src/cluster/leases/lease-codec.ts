import { Type } from 'typebox';
import { createEventCodec } from '../../../actors/ports/event-codec.ts';

export const leasePrefix = 'lease-';
/** `lease-{partition}`: its last event names the owner of the partition. */
export const leaseStream = (partition: number): string => `${leasePrefix}${partition}`;

/** A node holds the partition. */
interface LeaseHeld {
  /** Name of the node. */
  node: string;
  /** The life of the lease in milliseconds: from this event on, unless another one follows. */
  lifeMs: number;
}

/** A node gave the partition up. */
interface LeaseReleased {
  node: string;
}

export type LeaseEventContent =
  | { type: 'LeaseTaken'; data: LeaseHeld; metadata: LeaseMetadata }
  | { type: 'LeaseRenewed'; data: LeaseHeld; metadata: LeaseMetadata }
  | { type: 'LeaseReleased'; data: LeaseReleased; metadata: LeaseMetadata };

interface LeaseMetadata {
  /** When, milliseconds since 1970: for people. */
  at: number;
}

const held = Type.Object({ node: Type.String(), lifeMs: Type.Number({ minimum: 1 }) });
const data = { LeaseTaken: held, LeaseRenewed: held, LeaseReleased: Type.Object({ node: Type.String() }) };
const metadata = Type.Object({ at: Type.Number() });

/** Reads the events of `lease-{partition}`. */
export const leaseCodec = createEventCodec<LeaseEventContent, typeof data, typeof metadata>({
  kind: 'lease',
  upcasters: [],
  data,
  metadata,
});
