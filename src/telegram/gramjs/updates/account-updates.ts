import { Api } from 'telegram/tl/index.js';
import { sleep } from '../../../../actors/kit/sleep.ts';
import {
  type AccountUpdate,
  type ChannelPosition,
  type KnownMessages,
  RecordClosedError,
  RecordSupersededError,
  type UpdateChat,
  type UpdatePosition,
  type UpdateRecord,
} from '../../port/updates.ts';
import { errorNameOf, type TelegramLog } from '../../telegram-log.ts';
import { authorId } from '../chats/seen-message.ts';
import { type ChatUpdate, typesOf } from './chat-update.ts';
import { type MomentUpdate, momentUpdate } from './live-update.ts';
import { chatUpdates } from './read-update.ts';
import { RepeatedMembers } from './repeated-members.ts';
import { type ArrivedUpdate, type ResolveUpdatesDeps, resolveUpdates } from './resolve-updates.ts';

/** Updates kept in memory while the store is slow; more are left at Telegram. */
const maxWaiting = 500;
const retryMs = 5_000;
/** Telegram's dates are whole seconds. */
const dateMs = 1_000;

export interface AccountUpdatesDeps extends ResolveUpdatesDeps {
  log: TelegramLog;
  record: UpdateRecord;
  /** Another writer has recorded: continue from this position. */
  restartAt: (position: UpdatePosition) => void;
  /** The account's messages above an ID, in their order. */
  messagesAfter: (id: number) => AsyncIterable<readonly Api.Message[]>;
  /** Undefined if it is not known. */
  kindOf: (chatId: string) => UpdateChat['kind'] | undefined;
  /** Everything of a channel up to this position is recorded. */
  onChannelRecorded: (channel: ChannelPosition) => void;
}

/** Updates that arrived together, and the position after them. */
interface Arrival {
  updates: readonly ArrivedUpdate[];
  to: UpdatePosition;
  /** Everything up to here is known, so the record may say so. */
  isCurrent: boolean;
  /** Its updates are of a channel's own box, which they bring so far. */
  channel?: ChannelPosition;
  /** Its updates are missing: Telegram has only the messages, in the chats' histories. */
  isGap?: true;
}

/**
 * Turns Telegram's updates into recorded ones: selects those of private chats, identifies the gateway's own messages
 * and the other side, and records them in order. The position moves when its updates are recorded, not before.
 */
export class AccountUpdates {
  readonly #deps: AccountUpdatesDeps;
  #position: UpdatePosition | undefined;
  #arrivals: Arrival[] = [];
  #waiting = 0;
  #working: Promise<void> | undefined;
  readonly #members = new RepeatedMembers();
  #freed: (() => void)[] = [];

  constructor(deps: AccountUpdatesDeps, position: UpdatePosition | undefined) {
    this.#deps = deps;
    this.#position = position;
  }

  /** The position up to which everything is recorded. */
  get position(): UpdatePosition | undefined {
    return this.#position;
  }

  get hasRoom(): boolean {
    return this.#waiting < maxWaiting;
  }

  /** Resolves when there is room, or no more updates are accepted. */
  async room(): Promise<void> {
    while (!this.hasRoom && !this.#deps.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#freed.push(resolve);
      });
    }
  }

  /**
   * Whether a push lacks what a difference would have: which login wrote a message of the account, or who the other
   * side is (https://core.telegram.org/api/updates: short forms carry no users).
   */
  isDoubtful(update: Api.TypeUpdate): boolean {
    const { record, sent, users, ownId } = this.#deps;
    if (!record.isWanted) return false;
    const [found] = chatUpdates(update, ownId());
    if (found?.type !== 'message' || !this.#mayWant(found)) return false;
    const { message, chatId } = found;
    const isOfUnknownLogin =
      message.out === true && !message.fromScheduled && sent.isOwn(chatId, message.id) === undefined;
    const author = authorId(message, chatId, ownId() ?? '');
    if (isOfUnknownLogin || author.startsWith('-')) return isOfUnknownLogin;
    return !users.canFind(author) && (!chatId.startsWith('-') || users.seen(author) === undefined);
  }

  /** Accepts updates and the position after them. */
  add(updates: readonly Api.TypeUpdate[], missed: boolean, to: UpdatePosition): void {
    this.#take({ updates: this.#recordable(updates, missed), to, isCurrent: false });
  }

  /** Accepts updates of a supergroup's or channel's own box. */
  addOfChannel(updates: readonly Api.TypeUpdate[], missed: boolean, channel: ChannelPosition): void {
    const to = this.#arrivals.at(-1)?.to ?? this.#position;
    if (to === undefined) return;
    this.#take({ updates: this.#recordable(updates, missed), to, isCurrent: false, channel });
  }

  /** The account has entered or left a supergroup or channel. */
  addMembership(chatId: string, isIn: boolean): void {
    const to = this.#arrivals.at(-1)?.to ?? this.#position;
    const update = { type: isIn ? 'chat.joined' : 'chat.left', date: undefined, chatId, missed: false } as const;
    if (to !== undefined && this.#mayWant(update)) this.#take({ updates: [update], to, isCurrent: false });
  }

  #recordable(updates: readonly Api.TypeUpdate[], missed: boolean): ArrivedUpdate[] {
    const { record, ownId } = this.#deps;
    if (!record.isWanted) return [];
    return updates.flatMap((update) => {
      const moment = missed ? undefined : momentUpdate(update, ownId());
      if (moment !== undefined) this.#show(moment);
      return chatUpdates(update, ownId())
        .filter((found) => this.#mayWant(found) && !this.#members.isRepeated(found))
        .map((found) => ({ ...found, missed }));
    });
  }

  /** Whether an update may be wanted, as far as it can be said at once. */
  #mayWant(update: ChatUpdate): boolean {
    return this.#deps.record.mayWant(typesOf(update), this.#kindOf(update));
  }

  #kindOf(update: ChatUpdate): UpdateChat['kind'] | undefined {
    const { chatId } = update as { chatId?: string };
    if (chatId === undefined) return undefined;
    return chatId.startsWith('-') ? this.#deps.kindOf(chatId) : 'user';
  }

  #show(moment: MomentUpdate): void {
    const { record, users, chats, signal, toGatewayTime, kindOf } = this.#deps;
    const chatId = moment.type === 'chat.typing' ? moment.chatId : moment.userId;
    if (!record.mayWant([moment.type], chatId.startsWith('-') ? kindOf(chatId) : 'user')) return;
    const show = async (): Promise<void> => {
      const { userId } = moment;
      const nameless = { id: userId, name: '', username: '', phone: '' };
      const user = (await users.find(new Set([userId]), signal)).get(userId) ?? nameless;
      if (moment.type === 'user.status') {
        const { type, online, lastSeen } = moment;
        record.live({ type, user, online, lastSeen: lastSeen === undefined ? undefined : toGatewayTime(lastSeen) });
        return;
      }
      const { type, action } = moment;
      const isPrivate = !chatId.startsWith('-');
      const { kind, name } = isPrivate ? { ...user, kind: 'user' as const } : await chats.find(chatId, signal);
      record.live({ type, chat: { id: chatId, kind, name }, user, action });
    };
    // It is of this moment: nothing is worth a second try.
    show().catch(() => undefined);
  }

  /** This login sent a message. */
  addSent(chatId: string, messageId: number, to: UpdatePosition): void {
    const sent = { type: 'message.sent', date: undefined, chatId, messageId, missed: false } as const;
    if (this.#deps.record.isWanted) this.#take({ updates: [sent], to, isCurrent: false });
  }

  /** The updates up to this position are missing: the messages among them are read from the chats' histories. */
  addGap(to: UpdatePosition): void {
    this.#take({ updates: [], to, isCurrent: false, ...(this.#deps.record.isWanted && { isGap: true }) });
  }

  /** No update is missing up to this position. */
  markCurrent(to: UpdatePosition): void {
    if (this.#deps.record.isWanted) this.#take({ updates: [], to, isCurrent: true });
  }

  /** Resolves when no record is in flight. Call it after the signal. */
  async ended(): Promise<void> {
    await this.#working;
  }

  #take(arrival: Arrival): void {
    const isIdle = this.#working === undefined && this.#arrivals.length === 0;
    if (isIdle && arrival.updates.length === 0 && !arrival.isCurrent && !arrival.isGap) {
      this.#done(arrival);
      return;
    }
    this.#arrivals.push(arrival);
    this.#waiting += arrival.updates.length;
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    const { signal, clock, log } = this.#deps;
    while (this.#arrivals.length > 0 && !signal.aborted) {
      const arrivals = this.#takeNext();
      try {
        await (arrivals[0]?.isGap ? this.#fillGap(arrivals[0].to) : this.#record(arrivals));
        this.#free(arrivals);
      } catch (error) {
        if (signal.aborted || error instanceof RecordClosedError) break;
        if (error instanceof RecordSupersededError) {
          await this.#startAnew(arrivals);
          continue;
        }
        log('warn', 'updates could not be processed yet', { error: errorNameOf(error) });
        this.#arrivals = [...arrivals, ...this.#arrivals];
        await sleep(clock, retryMs, signal).catch(() => undefined);
      }
    }
    this.#working = undefined;
    if (signal.aborted) this.#free(this.#arrivals.splice(0));
  }

  /** All arrivals before the next gap or that of a channel, or one of these alone. */
  #takeNext(): Arrival[] {
    const alone = this.#arrivals.findIndex(({ isGap, channel }) => isGap || channel !== undefined);
    if (alone < 0) return this.#arrivals.splice(0);
    return this.#arrivals.splice(0, Math.max(alone, 1));
  }

  /** What was recorded before a failure is known at the next try. */
  async #fillGap(to: UpdatePosition): Promise<void> {
    const { record, messagesAfter, ownId } = this.#deps;
    const known = await record.known();
    const from = this.#position ?? to;
    for await (const messages of known === undefined ? [] : messagesAfter(known.upTo)) {
      const arrived = messages
        .filter(({ id }) => !known?.sent.has(id))
        .flatMap((message) => {
          const update = new Api.UpdateNewMessage({ message, pts: 0, ptsCount: 0 });
          return chatUpdates(update, ownId()).map((found) => ({ ...found, missed: true }));
        });
      const updates = await this.#resolve(arrived);
      const wanted = updates.filter((update) => known !== undefined && isSinceWebhook(update, known));
      if (wanted.length > 0) await record.record(wanted, from, from);
    }
    this.#position = to;
  }

  async #record(arrivals: readonly Arrival[]): Promise<void> {
    const { record } = this.#deps;
    const last = arrivals.at(-1);
    if (last === undefined) return;
    const updates = await this.#resolve(arrivals.flatMap((arrival) => arrival.updates));
    const from = this.#position ?? last.to;
    const to = last.channel === undefined ? last.to : from;
    if (updates.length > 0) await record.record(updates, from, to, undefined, last.channel);
    if (arrivals.some(({ isCurrent }) => isCurrent)) await record.record([], last.to, last.to, this.#deps.ownId());
    this.#done(last);
  }

  /** Only what is wanted is looked up at Telegram. */
  async #resolve(arrived: readonly ArrivedUpdate[]): Promise<AccountUpdate[]> {
    if (arrived.length === 0) return [];
    const isWanted = await this.#deps.record.selection();
    const wanted = arrived.filter((update) => {
      const { chatId } = update as { chatId?: string };
      const kind = this.#kindOf(update);
      return typesOf(update).some((type) => isWanted({ type, chatId, kind }));
    });
    return resolveUpdates(this.#deps, wanted);
  }

  #done({ to, channel }: Arrival): void {
    if (channel === undefined) this.#position = to;
    else this.#deps.onChannelRecorded(channel);
  }

  async #startAnew(arrivals: readonly Arrival[]): Promise<void> {
    const { record, log } = this.#deps;
    log('warn', 'another writer records the updates of the session', {});
    const position = await record.resume().catch(() => undefined);
    this.#free([...arrivals, ...this.#arrivals.splice(0)]);
    if (position === undefined) return;
    this.#position = position;
    this.#deps.restartAt(position);
  }

  #free(arrivals: readonly Arrival[]): void {
    for (const { updates } of arrivals) this.#waiting -= updates.length;
    if (!this.hasRoom && !this.#deps.signal.aborted) return;
    for (const resolve of this.#freed.splice(0)) resolve();
  }
}

/** IDs grow with time: above a recorded message, all are since the webhook was set. Without one, the dates decide. */
const isSinceWebhook = ({ at }: AccountUpdate, { upTo, since }: KnownMessages): boolean =>
  upTo > 0 || at === undefined || at + dateMs > since;
