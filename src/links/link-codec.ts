import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../actors/ports/event-codec.ts';
import type { LinkIssued, LinkMetadata, LinkOpened, LinkUsed, LinkWithdrawn } from './link-events.ts';

export type LinkEventContent =
  | { type: 'LinkIssued'; data: LinkIssued; metadata: LinkMetadata }
  | { type: 'LinkOpened'; data: LinkOpened; metadata: LinkMetadata }
  | { type: 'LinkUsed'; data: LinkUsed; metadata: LinkMetadata }
  | { type: 'LinkWithdrawn'; data: LinkWithdrawn; metadata: LinkMetadata };

/** A decoded event of a link's stream. */
export type RecordedLinkEvent = Placed<LinkEventContent>;

const data = {
  LinkIssued: Type.Object({
    id: Type.String(),
    hash: Type.String({ pattern: '^[\\da-f]{64}$' }),
    expires: Type.Number(),
    settings: Type.Object({ key: Type.String(), text: Type.String() }),
    tenant: Type.Optional(Type.String()),
    key: Type.Optional(Type.String()),
    externalId: Type.Optional(Type.String()),
    label: Type.Optional(Type.String()),
  }),
  LinkOpened: Type.Object({ sessionId: Type.String(), isNew: Type.Boolean() }),
  LinkUsed: Type.Object({ sessionId: Type.String() }),
  LinkWithdrawn: Type.Record(Type.String(), Type.Never()),
};
const metadata = Type.Object({ at: Type.Number(), author: Type.String() });

/** Reads the events of `link-{id}`. */
export const linkCodec = createEventCodec<LinkEventContent, typeof data, typeof metadata>({
  kind: 'link',
  upcasters: [],
  data,
  metadata,
});
