import type { Randomness } from '../../../actors/ports/clock.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import {
  chatIdOf,
  type DeliveryEvent,
  type DeliveryMetadata,
  type DroppedUpdate,
  type OwnFact,
  type SessionCondition,
} from '../stream/delivery-events.ts';
import { type DeliveryDraft, type DroppedDraft, isRefusal, updateTypes } from './delivery-drafts.ts';

type Unplaced<Event extends DeliveryEvent> = Event extends unknown
  ? Omit<Event, 'metadata'> & {
      metadata: Omit<DeliveryMetadata, 'seq' | 'places' | 'unbegun' | 'position' | 'unfinishedUpTo'>;
    }
  : never;

/** A delivery event whose place in its stream is not known yet. */
export interface UnplacedEvent {
  event: Unplaced<DeliveryEvent>;
  /** Its size in an append, about. */
  bytes: number;
  /** Keys of the places that want it. */
  wantedBy?: ReadonlySet<string>;
}

/** Common to all events that are recorded together. */
export type CommonMetadata = Pick<DeliveryMetadata, 'at' | 'login' | 'since'>;

export interface MakeEventsDeps {
  random: Pick<Randomness, 'uuid'>;
  sealer: Pick<Sealer, 'seal'> & { fingerprint(sessionId: string, text: string): Promise<Buffer> };
}

/** Bytes of the fields whose size hardly varies, in the store's format. */
const overheadBytes = 600;

/**
 * An event for each draft, in their order; an `UpdateDropped` for one that JSON has no form for.
 * @throws {KeyDestroyedError} {@link UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export async function makeEvents(
  deps: MakeEventsDeps,
  sessionId: string,
  drafts: readonly (DeliveryDraft | DroppedDraft)[],
  common: CommonMetadata,
): Promise<UnplacedEvent[]> {
  const events: UnplacedEvent[] = [];
  for (const draft of drafts) {
    if (draft.type === 'UpdateDropped') {
      events.push(dropEvent(deps, draft.dropped, common));
      continue;
    }
    try {
      events.push(await makeEvent(deps, sessionId, draft, common));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const chat = await fingerprintOf(deps, sessionId, draft).catch(() => undefined);
      events.push(
        dropEvent(deps, { update: updateTypes[draft.type], reason: 'not-serializable' }, { ...common, chat }),
      );
    }
  }
  return events;
}

/** Recorded instead of an update that cannot be recorded. */
export const dropEvent = (
  { random }: Pick<MakeEventsDeps, 'random'>,
  dropped: DroppedUpdate,
  { at, login, since, chat }: CommonMetadata & { chat?: string | undefined },
): UnplacedEvent => ({
  event: {
    id: random.uuid(),
    type: 'UpdateDropped',
    data: { dropped },
    // Stryker disable next-line ConditionalExpression: JSON has no field that is undefined
    metadata: { at, login, since, ...(chat !== undefined && { chat }) },
  },
  bytes: overheadBytes,
});

/** Records that the account is up to date at its position. @throws {KeyDestroyedError} {@link StoreUnavailableError} */
export async function startEvent(
  { random, sealer }: MakeEventsDeps,
  sessionId: string,
  common: CommonMetadata,
  account: string | undefined,
): Promise<UnplacedEvent> {
  const id = random.uuid();
  const sealed = account && (await sealer.seal(sessionId, id, account));
  return {
    event: { id, type: 'RecordingStarted', data: sealed ? { account: sealed } : {}, metadata: common },
    bytes: overheadBytes,
  };
}

/**
 * An event of the session itself.
 * @param metadata with its revision in the session's own log
 * @throws {KeyDestroyedError} {@link UnreadableEventError} of the vault. {@link StoreUnavailableError}
 */
export function makeOwnEvent(
  deps: MakeEventsDeps,
  sessionId: string,
  draft: { type: OwnFact; content: SessionCondition; wantedBy: ReadonlySet<string> },
  metadata: CommonMetadata & { sessionRevision: number },
): Promise<UnplacedEvent> {
  return makeEvent(deps, sessionId, draft, metadata);
}

async function makeEvent(
  deps: MakeEventsDeps,
  sessionId: string,
  draft: Pick<DeliveryDraft, 'messageIds' | 'wantedBy'> & {
    type: DeliveryDraft['type'] | OwnFact;
    content: DeliveryDraft['content'] | SessionCondition;
  },
  common: CommonMetadata,
): Promise<UnplacedEvent> {
  const { type, content, messageIds, wantedBy } = draft;
  const id = deps.random.uuid();
  const [sealed, chat] = await Promise.all([
    deps.sealer.seal(sessionId, id, JSON.stringify(content)),
    fingerprintOf(deps, sessionId, draft),
  ]);
  const metadata = { ...common, chat, ...(messageIds && { messageIds }) };
  const bytes = overheadBytes + sealed.length + JSON.stringify(metadata).length;
  return { event: { id, type, data: { content: sealed }, metadata }, bytes, ...(wantedBy && { wantedBy }) };
}

async function fingerprintOf(
  { sealer }: Pick<MakeEventsDeps, 'sealer'>,
  sessionId: string,
  { content }: { content: DeliveryDraft['content'] | SessionCondition },
): Promise<string> {
  return (await sealer.fingerprint(sessionId, chatIdOf(content))).toString('base64url');
}
