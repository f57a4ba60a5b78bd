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
import { CatchUp, type LostReason } from './catch-up.ts';

export interface UpdateFlowDeps {
  clock: Clock;
  log: TelegramLog;
  /** Where updates are recorded, asked already where it ends. */
  record: UpdateRecord;
  book: PeerCache;
  users: ChatUsers;
  sent: SentMessages;
  call: RpcCall;
  /** Of the account itself. */
  ownId: () => string | undefined;
  /** A time of Telegram's (seconds) on the gateway's clock (milliseconds). */
  toGatewayTime: (serverSeconds: number) => number;
  /** Told of each update once, in order. */
  onUpdate: (update: Api.TypeUpdate) => void;
  /** Nothing is missing now. */
  onCurrent: () => void;
  /** Some of what happened can't be had any more. */
  onLost: (reason: LostReason) => void;
  signal: AbortSignal;
}

/** What Telegram tells of an account, from its pushes and answers, counted and caught up, to the record. */
export class UpdateFlow {
  readonly #setting: UpdateFlowDeps;
  readonly #catchUp: CatchUp;
  readonly #updates: AccountUpdates;

  /** @param position up to where everything is recorded */
  constructor(setting: UpdateFlowDeps, position: UpdatePosition | undefined) {
    const { clock, log, record, sent, users, ownId, toGatewayTime, call, signal } = setting;
    this.#setting = setting;
    const restartAt = (at: UpdatePosition): void => {
      this.#catchUp.startAt(at);
      this.recover();
    };
    this.#updates = new AccountUpdates(
      { clock, log, record, sent, users, ownId, toGatewayTime, restartAt, signal },
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
          log('warn', 'some updates cannot be had any more');
          return call(new Api.updates.GetState(), signal);
        },
        onUpdates: (updates, missed, to) => this.#pass(updates, missed, to),
        isDoubtful: (update) => this.#updates.isDoubtful(update),
        hasRoom: () => this.#updates.hasRoom,
        room: () => this.#updates.room(),
        onCurrent: setting.onCurrent,
        onLost: setting.onLost,
      },
      position,
    );
  }

  /** Up to where nothing is still to be recorded. */
  get recorded(): UpdatePosition | undefined {
    return this.#updates.position;
  }

  /** Counting begins here. */
  startAt(position: UpdatePosition): void {
    this.#catchUp.startAt(position);
  }

  /** The connection is up. */
  startRoutine(): void {
    this.#catchUp.startRoutine();
  }

  stop(): void {
    this.#catchUp.stop();
  }

  /** Resolves when nothing more is being recorded; to be called after {@link stop} and the signal. */
  ended(): Promise<void> {
    return this.#updates.ended();
  }

  /** Asks for what may have been missed. */
  recover(): void {
    void this.#catchUp.recover();
  }

  /** Has the record say that nothing is missing, where that is so. */
  markCurrent(): void {
    const { position, isCurrent } = this.#catchUp;
    if (position !== undefined && isCurrent) this.#updates.markCurrent(position);
  }

  /** The first request on a new connection: what has been missed, or where Telegram is where nothing can be taken yet. */
  async greet(wire: MtprotoConnection): Promise<void> {
    const request = this.#catchUp.request();
    if (request === undefined || !this.#updates.hasRoom) {
      const state = await wire.introduce(new Api.updates.GetState());
      if (request === undefined) this.#catchUp.startAt(state);
      else this.recover();
      return;
    }
    const difference = await wire.introduce(request);
    learnPeersOf(this.#setting.book, difference);
    this.#setting.users.learn(difference);
    if (this.#catchUp.take(difference, request)) this.recover();
  }

  /** A push of Telegram. */
  handle(updates: Api.TypeUpdates): void {
    learnPeersOf(this.#setting.book, updates);
    this.#learn(updates);
    this.#catchUp.handle(updates);
  }

  /** An answer to whatever was asked: some hold updates. */
  noteAnswer(answer: unknown): void {
    learnPeersOf(this.#setting.book, answer);
    if (answer instanceof Api.UpdateShortSentMessage) {
      const { position } = this.#catchUp;
      if (position !== undefined && this.#catchUp.count(answer.pts, answer.ptsCount))
        this.#pass([], false, this.#catchUp.position);
    } else if (answer instanceof Api.Updates || answer instanceof Api.UpdatesCombined) {
      this.#learn(answer);
      this.#catchUp.handle(answer);
    }
  }

  /** This login has written a message. */
  noteSent(chat: string, id: number): void {
    const { position } = this.#catchUp;
    const isPrivate = !chat.startsWith('-') && chat !== this.#setting.ownId();
    if (isPrivate && position !== undefined) this.#updates.addSent(chat, id, position);
  }

  /** What must be known before the updates themselves are looked at: who is who, and which messages are this login's. */
  #learn(updates: Api.TypeUpdates): void {
    if (!(updates instanceof Api.Updates || updates instanceof Api.UpdatesCombined)) return;
    this.#setting.users.learn(updates);
    for (const update of updates.updates) this.#setting.sent.note(update);
  }

  #pass(updates: readonly Api.TypeUpdate[], missed: boolean, position: UpdatePosition | undefined): void {
    for (const update of updates) {
      this.#setting.sent.note(update);
      this.#setting.onUpdate(update);
    }
    if (position !== undefined) this.#updates.add(updates, missed, position);
  }
}
