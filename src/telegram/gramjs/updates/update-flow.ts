import { Api } from 'telegram/tl/index.js';
import type { Clock } from '../../../../actors/ports/clock.ts';
import type { PeerCache } from '../../peer-cache.ts';
import type { UpdatePosition, UpdateRecord } from '../../port/updates.ts';
import type { TelegramLog } from '../../telegram-log.ts';
import type { MtprotoConnection } from '../connection/mtproto-connection.ts';
import type { RpcCall } from '../connection/rpc-caller.ts';
import type { ChatUsers } from '../peers/chat-users.ts';
import { learnPeersOf } from '../peers/peers-in-updates.ts';
import type { SentMessages } from '../sending/sent-messages.ts';
import { AccountUpdates } from './account-updates.ts';
import { type OwnChange, ownChange } from './affected-messages.ts';
import { CatchUp, type LostReason } from './catch-up.ts';
import { messagesAfter } from './messages-after.ts';

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
  signal: AbortSignal;
}

/** The flow of an account's updates, from pushes and answers, in order and complete, to the record. */
export class UpdateFlow {
  readonly #deps: UpdateFlowDeps;
  readonly #catchUp: CatchUp;
  readonly #updates: AccountUpdates;

  /** @param position the position up to which everything is recorded */
  constructor(deps: UpdateFlowDeps, position: UpdatePosition | undefined) {
    const { clock, log, record, sent, users, ownId, toGatewayTime, call, signal } = deps;
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
        ownId,
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
  }

  stop(): void {
    this.#catchUp.stop();
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
    const isPrivate = !chat.startsWith('-') && chat !== this.#deps.ownId();
    if (isPrivate && position !== undefined) this.#updates.addSent(chat, id, position);
  }

  /**
   * Learns from a message of Telegram before its updates are read: users, chats, and which messages this login sent.
   */
  #learn(updates: Api.TypeUpdates): void {
    if (!(updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined)) return;
    this.#deps.users.learn(updates);
    for (const update of updates.updates) this.#deps.sent.note(update);
  }

  #pass(updates: readonly Api.TypeUpdate[], missed: boolean, position: UpdatePosition | undefined): void {
    for (const update of updates) {
      this.#deps.sent.note(update);
      this.#deps.onUpdate(update);
    }
    if (position !== undefined) this.#updates.add(updates, missed, position);
  }
}
