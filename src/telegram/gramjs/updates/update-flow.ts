import { Api } from 'telegram/tl/index.js';
import type { LightAbortSignal } from '../../../../actors/kit/light-abort.ts';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { LoginState } from '../../login/login-state.ts';
import type { PeerCache } from '../../peer-cache.ts';
import type { UpdatePosition, UpdateRecord } from '../../port/updates.ts';
import type { TelegramLog } from '../../telegram-log.ts';
import type { MtprotoConnection } from '../connection/mtproto-connection.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import { ChatNames } from '../peers/chat-names.ts';
import type { ChatUsers } from '../peers/chat-users.ts';
import { learnPeersOf } from '../peers/peers-in-updates.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import { AccountUpdates } from './account-updates.ts';
import { type OwnChange, ownChange } from './affected-messages.ts';
import { CatchUp } from './catch-up.ts';
import { ChannelBoxes } from './channel-boxes.ts';
import type { LostReason } from './lost-updates.ts';
import { messagesAfter } from './messages-after.ts';

/** What can be wanted of groups and channels. */
const channelTypes = [
  'message',
  'message.edited',
  'message.deleted',
  'message.pinned',
  'message.reaction',
  'chat.joined',
  'chat.left',
  'chat.member',
  'chat.read',
] as const;

export interface UpdateFlowDeps {
  clock: Clock;
  log: TelegramLog;
  /** The record of updates, whose end was read already. */
  record: UpdateRecord;
  book: PeerCache;
  users: ChatUsers;
  sent: SentMessages;
  call: RpcCall;
  /** The account's own user ID. */
  ownId: () => string | undefined;
  /** Converts a time of Telegram's clock (seconds) to the gateway's clock (milliseconds). */
  toGatewayTime: (serverSeconds: number) => number;
  /** Called once for each update, in order. */
  onUpdate: (update: Api.TypeUpdate) => void;
  /** No update is missing now. */
  onCurrent: () => void;
  /** Some updates are lost. */
  onLost: (reason: LostReason) => void;
  /** The positions of channels have to be stored. */
  onChannels: () => void;
  signal: LightAbortSignal;
}

/** The flow of an account's updates, from pushes and answers, in order and complete, to the record. */
export class UpdateFlow {
  readonly #deps: UpdateFlowDeps;
  readonly #catchUp: CatchUp;
  readonly #updates: AccountUpdates;
  readonly #channels: ChannelBoxes;
  readonly #chats: ChatNames;

  /** @param stored the positions up to which everything is recorded */
  constructor(deps: UpdateFlowDeps, stored: Pick<LoginState, 'position' | 'channels'>) {
    const { position, channels } = stored;
    const { clock, log, record, sent, users, ownId, toGatewayTime, call, signal, book } = deps;
    const chats = new ChatNames(book, call);
    this.#chats = chats;
    this.#deps = deps;
    const restartAt = (at: UpdatePosition): void => {
      this.#catchUp.startAt(at);
      this.recover();
    };
    this.#updates = new AccountUpdates(
      {
        clock,
        log,
        record,
        sent,
        users,
        chats,
        ownId,
        kindOf: (id) => book.get(id)?.kind,
        onChannelRecorded: (channel) => this.#channels.noteRecorded(channel),
        toGatewayTime,
        restartAt,
        signal,
        messagesAfter: (id) => messagesAfter((request) => call(request, signal), users, id),
      },
      position,
    );
    this.#catchUp = new CatchUp(
      {
        clock,
        invoke: async (request) => {
          const difference = await call(request, signal);
          users.learn(difference);
          chats.learn(difference);
          return difference;
        },
        present: () => {
          log('warn', 'some updates are lost');
          return call(new Api.updates.GetState(), signal);
        },
        onUpdates: (updates, missed, to) => this.#pass(updates, missed, to),
        isDoubtful: (update) => this.#updates.isDoubtful(update),
        hasRoom: () => this.#updates.hasRoom,
        room: () => this.#updates.room(),
        onCurrent: deps.onCurrent,
        onGap: (to) => this.#updates.addGap(to),
        onLost: deps.onLost,
      },
      position,
    );
    const kinds = ['group', 'channel'] as const;
    this.#channels = new ChannelBoxes(
      {
        clock,
        call,
        book,
        signal,
        isWanted: () => kinds.some((kind) => record.mayWant(channelTypes, kind)),
        recorded: () => record.channels(),
        learn: (answer) => {
          users.learn(answer);
          chats.learn(answer);
        },
        onUpdates: (updates, missed, channel) => {
          for (const update of updates) sent.note(update);
          this.#updates.addOfChannel(updates, missed, channel);
        },
        onMembership: (id, isIn) => this.#updates.addMembership(id, isIn),
        isDoubtful: (update) => this.#updates.isDoubtful(update),
        room: () => this.#updates.room(),
        onLost: deps.onLost,
        onChange: deps.onChannels,
      },
      channels,
    );
  }

  /** The positions up to which everything is recorded, to be stored. */
  get reached(): Pick<LoginState, 'position' | 'channels'> {
    return { ...(this.recorded && { position: this.recorded }), channels: this.#channels.snapshot };
  }

  /** The position up to which everything is recorded. */
  get recorded(): UpdatePosition | undefined {
    return this.#updates.position;
  }

  /**
   * Starts counting after a login: where an earlier login of the account ended, or else at Telegram's present position.
   * If Telegram's count is behind the recorded one, it has begun anew.
   */
  async startAs(account: string | undefined, { pts, qts, date }: UpdatePosition): Promise<void> {
    const before = account && (await this.#deps.record.continueFrom(account));
    this.#catchUp.startAt(before && before.pts <= pts ? { ...before, qts } : { pts, qts, date });
  }

  /** A connection is open. */
  startRoutine(): void {
    this.#catchUp.startRoutine();
    this.#channels.check();
  }

  stop(): void {
    this.#catchUp.stop();
    this.#channels.stop();
  }

  /** Resolves when no record is in flight. Call it after {@link stop} and the signal. */
  ended(): Promise<void> {
    return this.#updates.ended();
  }

  /** Fetches updates that may have been missed. */
  recover(): void {
    void this.#catchUp.recover();
  }

  /** Records that nothing is missing, if that is so. */
  markCurrent(): void {
    const { position, isCurrent } = this.#catchUp;
    this.#channels.begin();
    if (position !== undefined && isCurrent) this.#updates.markCurrent(position);
  }

  /** The first request on a new connection: missed updates, or the present position if no updates are accepted yet. */
  async greet(connection: MtprotoConnection): Promise<void> {
    const request = this.#catchUp.request();
    if (request === undefined || !this.#updates.hasRoom) {
      const state = await connection.introduce(new Api.updates.GetState());
      if (request === undefined) this.#catchUp.startAt(state);
      else this.recover();
      return;
    }
    const difference = await connection.introduce(request);
    learnPeersOf(this.#deps.book, difference);
    this.#deps.users.learn(difference);
    this.#chats.learn(difference);
    if (this.#catchUp.take(difference, request)) this.recover();
  }

  /** Handles a push of Telegram. */
  handle(updates: Api.TypeUpdates): void {
    learnPeersOf(this.#deps.book, updates);
    this.#learn(updates);
    this.#catchUp.handle(updates);
  }

  /** Handles an answer to any request: some hold updates, or say that there was one. */
  noteAnswer(answer: unknown, request: Api.AnyRequest): void {
    // The answer of what adds members holds updates in a field.
    if (answer instanceof Api.messages.InvitedUsers) {
      this.noteAnswer(answer.updates, request);
      return;
    }
    learnPeersOf(this.#deps.book, answer);
    const change = ownChange(request, answer, this.#deps.ownId());
    if (change !== undefined) this.#noteChange(change);
    if (answer instanceof Api.UpdateShortSentMessage) {
      const { position } = this.#catchUp;
      if (position !== undefined && this.#catchUp.count(answer.pts, answer.ptsCount))
        this.#pass([], false, this.#catchUp.position);
    } else if (answer instanceof Api.Updates || answer instanceof Api.UpdatesCombined) {
      this.#learn(answer);
      this.#catchUp.handle(answer);
    }
  }

  /** This login has changed the account's own box, as if Telegram had pushed the update. */
  #noteChange({ pts, ptsCount, update }: OwnChange): void {
    const { position } = this.#catchUp;
    if (position === undefined || pts <= position.pts) return;
    if (update !== undefined && ptsCount > 0) this.#catchUp.handle(new Api.UpdateShort({ update, date: 0 }));
    // Only a difference says what it was.
    else this.recover();
  }

  /** This login sent a message. */
  noteSent(chat: string, id: number): void {
    const { position } = this.#catchUp;
    // A channel's deletions say of which chat they are.
    const isOfBox = this.#deps.book.get(chat)?.hash === undefined || !chat.startsWith('-');
    if (isOfBox && chat !== this.#deps.ownId() && position !== undefined) this.#updates.addSent(chat, id, position);
  }

  /**
   * Learns from a message of Telegram before its updates are read: users, chats, and which messages this login sent.
   */
  #learn(updates: Api.TypeUpdates): void {
    if (!(updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined)) return;
    this.#deps.users.learn(updates);
    this.#chats.learn(updates);
    for (const update of updates.updates) this.#deps.sent.note(update);
  }

  #pass(updates: readonly Api.TypeUpdate[], missed: boolean, position: UpdatePosition | undefined): void {
    for (const update of updates) {
      this.#deps.sent.note(update);
      this.#deps.onUpdate(update);
    }
    const own = updates.filter((update) => !this.#channels.handle(update));
    if (position !== undefined) this.#updates.add(own, missed, position);
  }
}
