import { Type } from 'typebox';
import { createEventCodec, type Placed } from '../../../actors/ports/event-codec.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import type { AccountUpdate } from '../../telegram/port/updates.ts';
import { type DeliveryEventContent, type DroppedUpdate, type PlaceMarks, updateFactTypes } from './delivery-events.ts';

/** A decoded event of a delivery stream. */
export type RecordedDelivery = Placed<DeliveryEventContent>;

const updateTypes: AccountUpdate['type'][] = [...Object.values(updateFactTypes), 'message.sent'];
const dropReasons: DroppedUpdate['reason'][] = ['not-serializable', 'not-written'];
const sealed = Type.Object({ content: Type.Unsafe<Sealed>(Type.String()) });
const milliseconds = Type.Number();

const data = {
  MessageReceived: sealed,
  MessageEdited: sealed,
  MessagesDeleted: sealed,
  MessagesRead: sealed,
  MessageSent: sealed,
  MessageSeen: sealed,
  ReactionsChanged: sealed,
  MessagesPinned: sealed,
  PollVoted: sealed,
  ButtonPressed: sealed,
  ChatJoined: sealed,
  ChatLeft: sealed,
  MemberChanged: sealed,
  ChatRead: sealed,
  StoryPosted: sealed,
  QrIssued: sealed,
  PasswordRequested: sealed,
  CodeSent: sealed,
  SessionConnected: sealed,
  SessionDisconnected: sealed,
  LoginLost: sealed,
  SessionReset: sealed,
  RecordingStarted: Type.Object({ account: Type.Optional(sealed.properties.content) }),
  UpdateDropped: Type.Object({
    dropped: Type.Object({ update: Type.Enum(updateTypes), reason: Type.Enum(dropReasons) }),
  }),
};

const metadata = Type.Object({
  at: milliseconds,
  seq: Type.Integer({ minimum: 0 }),
  chat: Type.Optional(Type.String()),
  messageIds: Type.Optional(Type.Array(Type.Integer())),
  login: Type.Integer({ minimum: 0 }),
  since: milliseconds,
  places: Type.Optional(
    Type.Unsafe<PlaceMarks>(Type.Record(Type.String(), Type.Array(Type.Integer(), { minItems: 2, maxItems: 3 }))),
  ),
  unbegun: Type.Optional(Type.Array(Type.String())),
  sessionRevision: Type.Optional(Type.Integer()),
  channelPts: Type.Optional(Type.Integer()),
  position: Type.Object({ pts: Type.Integer(), qts: Type.Integer(), date: Type.Integer() }),
  unfinishedUpTo: Type.Optional(Type.Integer()),
});

/** Reads the events of `delivery-{id}`. */
export const deliveryCodec = createEventCodec<DeliveryEventContent, typeof data, typeof metadata>({
  kind: 'delivery',
  // Version 2: a `RecordingStarted` may name the account. Version 3: `MessageSeen`.
  // Version 4: what happens in groups and channels, and what is no message. Version 5: events of the session itself.
  // Version 6: stories.
  upcasters: [(event) => event, (event) => event, (event) => event, (event) => event, (event) => event],
  data,
  metadata,
});
