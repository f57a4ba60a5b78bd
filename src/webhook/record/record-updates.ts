import type { KeyedQueue } from '../../../actors/kit/keyed-queue.ts';
import { createRateLimitedLog } from '../../../actors/kit/rate-limited-log.ts';
import type { Log } from '../../../actors/ports/log.ts';
import type { Sealer } from '../../../actors/ports/sealer.ts';
import type {
  AccountUpdate,
  ChannelPosition,
  KnownMessages,
  LiveUpdate,
  SelectedUpdate,
  UpdateChat,
  UpdatePosition,
  UpdateRecord,
  UpdateRecording,
  UpdateType,
} from '../../telegram/port/updates.ts';
import { isLive, isWantedByAny, readerEventTypes } from '../filter/event-filter.ts';
import type { Place, Wanted } from '../filter/wanted.ts';
import { type DroppedUpdate, isOwnFact } from '../stream/delivery-events.ts';
import { asWanted } from './as-wanted.ts';
import { readChannelPositions } from './channel-positions.ts';
import { deliveryBatches } from './delivery-batches.ts';
import { draftDeliveries, isRefusal, updateTypes } from './delivery-drafts.ts';
import { DeliveryWriter, type DeliveryWriterDeps } from './delivery-writer.ts';
import { findChats } from './find-chats.ts';
import { isBeforeWebhook } from './is-before-webhook.ts';
import { accountOfRecord, readKnownMessages } from './known-messages.ts';
import { dropEvent, type MakeEventsDeps, makeEvents, startEvent, type UnplacedEvent } from './make-events.ts';
import { begunPlaces, type MarkedEnd, markEvents, markedEnd } from './mark-events.ts';
import { withoutRepeated } from './repeated-updates.ts';
import { withoutRecorded } from './unfinished-record.ts';

/** Those who look on at sessions. */
interface Watchers {
  isWatched(sessionId: string): boolean;
  show(sessionId: string, update: LiveUpdate): void;
}

export interface WebhookRecordingDeps extends Omit<DeliveryWriterDeps, 'retryLog'>, MakeEventsDeps {
  random: DeliveryWriterDeps['random'] & MakeEventsDeps['random'];
  log: Log;
  sealer: MakeEventsDeps['sealer'] & Pick<Sealer, 'open'>;
  wanted: Wanted;
  /** Who is told of what is not recorded. */
  live?: Watchers;
  /** By session: appends to its delivery stream, one after the other. */
  writes: KeyedQueue;
}

export interface WebhookRecording extends UpdateRecording {
  /** To be called when a webhook has been set and its view shows it: updates from now on are recorded. */
  webhookSet(sessionId: string): void;
  /** To be called when an event of the session itself has been recorded in its delivery stream. */
  ownRecorded(sessionId: string): void;
}

/** Records the updates of accounts whose session has a webhook, in the session's delivery stream. */
export function createWebhookRecording(options: WebhookRecordingDeps): WebhookRecording {
  const deps = { ...options, retryLog: createRateLimitedLog(options.log, options.clock) };
  const open = new Map<string, { record: DeliveryRecord; onWanted: () => void }>();
  return {
    open(sessionId, login, onWanted) {
      const record: DeliveryRecord = new DeliveryRecord(deps, sessionId, login, () => {
        if (open.get(sessionId)?.record === record) open.delete(sessionId);
      });
      open.set(sessionId, { record, onWanted });
      return record;
    },
    webhookSet: (sessionId) => open.get(sessionId)?.onWanted(),
    ownRecorded: (sessionId) => open.get(sessionId)?.record.endMoved(),
  };
}

/** Telegram's updates, those included that are not recorded. */
const updateEventTypes = readerEventTypes.filter((type) => !type.startsWith('session.'));

type DeliveryRecordDeps = WebhookRecordingDeps & Pick<DeliveryWriterDeps, 'retryLog'>;

class DeliveryRecord implements UpdateRecord {
  readonly #deps: DeliveryRecordDeps;
  readonly #sessionId: string;
  readonly #login: number;
  readonly #writer: DeliveryWriter;
  readonly #onClose: () => void;
  /** The login of the same account before this one. */
  #continuedLogin: number | undefined;

  constructor(deps: DeliveryRecordDeps, sessionId: string, login: number, onClose: () => void) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#login = login;
    this.#writer = new DeliveryWriter(deps, sessionId);
    this.#onClose = onClose;
  }

  get isWanted(): boolean {
    return this.#since !== undefined && this.#deps.wanted.mayWant(this.#sessionId, updateEventTypes);
  }

  mayWant(types: readonly UpdateType[], kind?: UpdateChat['kind']): boolean {
    if (types.every(isLive) && !this.#deps.live?.isWatched(this.#sessionId)) return false;
    return this.#since !== undefined && this.#deps.wanted.mayWant(this.#sessionId, types, kind);
  }

  async selection(): Promise<(update: SelectedUpdate) => boolean> {
    const places = await this.#places();
    const filters = places.map(({ filter }) => filter);
    return (update) => isWantedByAny(filters, update);
  }

  channels(): Promise<ReadonlyMap<string, number>> {
    return readChannelPositions(this.#deps, this.#sessionId, this.#login);
  }

  live(update: LiveUpdate): void {
    this.#deps.live?.show(this.#sessionId, update);
  }

  async resume(): Promise<UpdatePosition | undefined> {
    if (!this.isWanted) return undefined;
    const last = await this.#writer.last();
    return last?.login === this.#login ? last.position : undefined;
  }

  async continueFrom(account: string): Promise<UpdatePosition | undefined> {
    const last = this.isWanted ? await this.#writer.last() : undefined;
    if (last === undefined || begunPlaces(await this.#places(), last).length === 0) return undefined;
    if ((await accountOfRecord(this.#deps, this.#sessionId, last.login)) !== account) return undefined;
    this.#continuedLogin = last.login;
    return last.position;
  }

  async known(): Promise<KnownMessages | undefined> {
    const since = this.#since;
    if (since === undefined) return undefined;
    return readKnownMessages(this.#deps, this.#sessionId, this.#isContinued, await this.#places(), since);
  }

  record(...batch: Parameters<UpdateRecord['record']>): Promise<void> {
    return this.#deps.writes.run(this.#sessionId, () => this.#record(...batch));
  }

  /** Something else has recorded in the stream, in its turn. */
  endMoved(): void {
    this.#writer.forgetEnd();
  }

  async #record(
    updates: readonly AccountUpdate[],
    from: UpdatePosition,
    to: UpdatePosition,
    account?: string,
    channel?: ChannelPosition,
  ): Promise<void> {
    const since = this.#since;
    if (since === undefined) return;
    const last = await this.#writer.last();
    const places = await this.#places();
    const isSameLogin = last !== undefined && this.#isContinued(last.login);
    const begun = isSameLogin ? begunPlaces(places, last) : [];
    const hasBegun = isSameLogin && begun.length === places.length;
    // The first record of a login says that it is another one, even if it continues.
    if (hasBegun && last.login === this.#login && updates.length === 0) return;
    const recordedUpTo = (isSameLogin && last.unfinishedUpTo) || 0;
    const wanted = updates.filter(
      (update) =>
        (begun.length > 0 || !isBeforeWebhook(update, since)) &&
        !(update.type === 'message' && channel === undefined && update.message.id <= recordedUpTo),
    );
    const drafts = await this.#writer.patiently(async () => {
      const all = await draftDeliveries(wanted, (ids) => findChats(this.#deps, this.#sessionId, this.#login, ids));
      const chosen = asWanted(all, places, begun, channel !== undefined);
      const drafted = await withoutRepeated(this.#deps, this.#sessionId, this.#login, chosen);
      if (!isSameLogin || last.unfinishedUpTo === undefined || channel !== undefined) return drafted;
      return withoutRecorded(this.#deps, this.#sessionId, this.#login, drafted);
    });
    // All updates were from before the webhook, not wanted, recorded before, or of unknown chats.
    if (drafts.length === 0 && updates.length > 0) return;
    const common = { at: this.#deps.clock.now(), login: this.#login, since };
    const events = await this.#writer.patiently(() => makeEvents(this.#deps, this.#sessionId, drafts, common));
    if (events.length === 0) events.push(await startEvent(this.#deps, this.#sessionId, common, account));
    for (const { event } of events) if (event.type === 'UpdateDropped') this.#logDropped(event.data.dropped);
    const end = markedEnd(places, last);
    if (channel === undefined) return this.#append(events, places, end, { from, to });
    // The account's own position stays where it is.
    const { position = to, unfinishedUpTo } = isSameLogin ? last : {};
    const unfinished = unfinishedUpTo === undefined ? {} : { unfinishedUpTo };
    for (const { event } of events) event.metadata.channelPts = channel.pts;
    await this.#append(events, places, end, { from: position, to: position, ...unfinished });
  }

  close(): void {
    this.#writer.close();
    this.#onClose();
  }

  readonly #isContinued = (login: number): boolean => login === this.#login || login === this.#continuedLogin;

  get #since(): number | undefined {
    return this.#deps.wanted.since(this.#sessionId);
  }

  #places(): Promise<readonly Place[]> {
    return this.#writer.patiently(() => this.#deps.wanted.places(this.#sessionId));
  }

  /**
   * If it takes more than one append, only the last one moves the position. An event that the store refuses is
   * dropped.
   */
  async #append(
    events: readonly UnplacedEvent[],
    places: readonly Place[],
    before: MarkedEnd,
    { from, to, ...kept }: { from: UpdatePosition; to: UpdatePosition; unfinishedUpTo?: number },
  ): Promise<void> {
    const batches = deliveryBatches(events);
    let end = before;
    let recordedUpTo = 0;
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      const unfinishedUpTo = Math.max(recordedUpTo, newestMessage(batch));
      const place = batches.length === 0 ? { position: to, ...kept } : { position: from, unfinishedUpTo };
      const marked = markEvents(batch, places, end, place);
      try {
        await this.#writer.append(marked.events);
        end = marked.end;
        recordedUpTo = unfinishedUpTo;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        batches.unshift(...this.#withoutRefused(batch, error));
      }
    }
  }

  /** Replaces a batch that the store refuses: each event alone, or the record that an event was dropped. */
  #withoutRefused(batch: readonly UnplacedEvent[], error: unknown): UnplacedEvent[][] {
    const [only, ...others] = batch;
    // Stryker disable next-line ConditionalExpression: a batch is never empty
    if (only === undefined || others.length > 0) return batch.map((each) => [each]);
    const { type, metadata } = only.event;
    if (type === 'RecordingStarted' || type === 'UpdateDropped' || isOwnFact(type)) throw error;
    const dropped = { update: updateTypes[type], reason: 'not-written' } as const;
    this.#logDropped(dropped);
    return [[dropEvent(this.#deps, dropped, metadata)]];
  }

  #logDropped(dropped: DroppedUpdate): void {
    const fields = { session: this.#sessionId, ...dropped };
    this.#deps.log.error({ where: 'updates', ...fields }, 'an update cannot be recorded: it is dropped');
  }
}

/** The highest ID of a new message in it, or 0. */
const newestMessage = (events: readonly UnplacedEvent[]): number =>
  Math.max(
    0,
    ...events.flatMap(
      ({ event: { type, metadata } }) =>
        ((type === 'MessageReceived' || type === 'MessageSeen') && metadata.messageIds) || [],
    ),
  );
