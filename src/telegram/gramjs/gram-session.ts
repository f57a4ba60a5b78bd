import { Api } from 'telegram/tl/index.js';
import { abortForMany } from '../../../actors/kit/light-abort.ts';
import { PersistentConnection } from '../connection/persistent-connection.ts';
import type { OnWait } from '../connection/retry-policy.ts';
import { LoginLostError } from '../login/login-lost.ts';
import type { LoginState } from '../login/login-state.ts';
import { PeerCache } from '../peer-cache.ts';
import { NotConnectedError } from '../port/errors.ts';
import type { UpdateRecord } from '../port/updates.ts';
import type { TelegramLog } from '../telegram-log.ts';
import { GramAccount } from './account.ts';
import { GramChats } from './chats/chats.ts';
import { isLoggedIn, openInitialised } from './connection/init-connection.ts';
import type { MtprotoConnection, MtprotoConnectionDeps } from './connection/mtproto-connection.ts';
import { RpcCaller } from './connection/rpc-caller.ts';
import { FileConnections } from './files/file-connections.ts';
import { GramFiles } from './files/files.ts';
import { createUpload } from './files/upload-file.ts';
import { logOutOn, logOutStored } from './login/log-out.ts';
import { submitPassword } from './login/password-login.ts';
import { ChatUsers } from './peers/chat-users.ts';
import { type Profile, ProfileWatch } from './profile-watch.ts';
import { SentMessages } from './sending/sent-messages.ts';
import type { LostReason } from './updates/catch-up.ts';
import { StoredPosition } from './updates/stored-position.ts';
import { UpdateFlow } from './updates/update-flow.ts';

export interface GramSessionDeps extends MtprotoConnectionDeps {
  log: TelegramLog;
}

export interface GramSessionListener {
  up(): void;
  down(reason: string): void;
  loginLost(reason: string): void;
  /** Some of what happened in the account can't be had any more. */
  updatesLost(reason: LostReason): void;
  /** Something worth keeping has changed; it can wait. */
  changed(): void;
  profileChanged(profile: Profile): void;
  waitAsked: OnWait;
}

/** A login that exists: kept connected, asked, caught up, and written down, until it is stopped or lost. */
export class GramSession {
  readonly account: GramAccount;
  readonly #setting: GramSessionDeps;
  readonly #listener: GramSessionListener;
  readonly #login: LoginState;
  readonly #book: PeerCache;
  readonly #line: PersistentConnection<MtprotoConnection>;
  readonly #caller: RpcCaller;
  readonly #files: FileConnections;
  readonly #chats: GramChats;
  readonly #users: ChatUsers;
  readonly #flow: UpdateFlow;
  readonly #profile: ProfileWatch;
  readonly #stop = abortForMany();
  readonly #kept: StoredPosition;
  #online = false;

  /** @param record where updates are recorded, asked already where it ends; the login's position is the later one */
  constructor(setting: GramSessionDeps, login: LoginState, record: UpdateRecord, listener: GramSessionListener) {
    this.#setting = setting;
    this.#listener = listener;
    this.#login = login;
    this.#book = new PeerCache(login.peers);
    this.#book.onChange(() => listener.changed());
    this.#line = new PersistentConnection<MtprotoConnection>(
      setting,
      (signal) => openInitialised(setting, login, this.#flow, signal),
      {
        up: () => this.#up(),
        down: (reason) => {
          this.#online = false;
          listener.down(reason);
        },
        loginLost: (reason) => {
          this.#end();
          listener.loginLost(reason);
        },
      },
    );
    this.#caller = new RpcCaller(setting.clock, this.#line, {
      answer: (answer) => this.#flow.noteAnswer(answer),
      wait: listener.waitAsked,
      trace: setting.trace,
    });
    const { call } = this.#caller;
    this.#files = new FileConnections(
      setting,
      {
        dc: login.dc,
        keys: login.keys,
        call,
        keysChanged: () => listener.changed(),
        loginLost: (reason) => this.#line.loginLost(reason),
        onWait: listener.waitAsked,
      },
      this.#stop.signal,
    );
    const toGatewayTime = (seconds: number): number => this.#line.current?.toGatewayTime(seconds) ?? seconds * 1000;
    const sent = new SentMessages((chat, id) => this.#flow.noteSent(chat, id));
    this.#users = new ChatUsers(this.#book, call);
    this.#kept = new StoredPosition(setting.clock, login.position);
    this.#flow = new UpdateFlow(
      {
        clock: setting.clock,
        log: setting.log,
        record,
        book: this.#book,
        users: this.#users,
        sent,
        call,
        ownId: () => login.account?.id,
        toGatewayTime,
        onUpdate: (update) => this.#noteUpdate(update),
        onCurrent: () => this.updatesWanted(),
        onLost: (reason) => listener.updatesLost(reason),
        signal: this.#stop.signal,
      },
      login.position,
    );
    this.#profile = new ProfileWatch(setting, login, { call, files: this.#files }, this.#stop.signal, (profile) => {
      listener.changed();
      listener.profileChanged(profile);
    });
    this.#chats = new GramChats({ clock: setting.clock, book: this.#book, call, files: this.#files });
    const upload = createUpload(this.#files, login.dc, setting.random);
    const sending = { book: this.#book, sent, call, upload, toGatewayTime };
    const media = new GramFiles({
      book: this.#book,
      call,
      files: this.#files,
      meet: (id, signal) => this.account[id.startsWith('-') ? 'chatById' : 'userById'](id, signal),
    });
    this.account = new GramAccount(this.#caller, this.#book, setting.clock, sending, this.#chats, media);
  }

  /** @param first the connection that the login was made on */
  start(first?: MtprotoConnection): void {
    this.#line.start(first);
  }

  /** Closes everything, at once. */
  stop(): void {
    this.#end();
    this.#line.stop();
  }

  get stage(): LoginState['stage'] {
    return this.#login.stage;
  }

  /** Logged in, and not known to be out of reach. */
  get isConnected(): boolean {
    return this.#online && this.#login.stage === 'complete';
  }

  /** As it is to be stored. */
  snapshot(): LoginState {
    const position = this.#flow.recorded;
    if (position !== undefined) this.#kept.note(position);
    return { ...this.#login, ...(position && { position }), peers: this.#book.all() };
  }

  /** Whether the position has moved since it was last asked for to be stored. */
  get hasMoved(): boolean {
    return this.#kept.isBehind(this.#flow.recorded);
  }

  /** Somebody may want updates from now on: what has been seen so far is of the time before. */
  updatesWanted(): void {
    if (this.#line.current !== undefined) this.#flow.markCurrent();
    if (this.#kept.isTooOld(this.#flow.recorded)) this.#listener.changed();
  }

  /** Resolves when nothing more is being recorded; to be called after {@link stop}. */
  ended(): Promise<void> {
    return this.#flow.ended();
  }

  /** A push of Telegram. */
  handle(updates: Api.TypeUpdates): void {
    this.#flow.handle(updates);
  }

  async passwordHint(signal: AbortSignal): Promise<string> {
    const { hint } = await this.#caller.call(new Api.account.GetPassword(), signal);
    return hint ?? '';
  }

  /** @throws {TelegramError} {@link NotConnectedError} */
  async submitPassword(password: string, signal: AbortSignal): Promise<'accepted' | 'rejected'> {
    const { call } = this.#caller;
    const { clock, random } = this.#setting;
    const isComplete = async (): Promise<boolean> => isLoggedIn(clock, await this.#line.connection(signal));
    try {
      const outcome = await submitPassword(call, random, password, isComplete, signal);
      if (outcome === 'accepted') this.#login.stage = 'complete';
      return outcome;
    } catch (error) {
      if (!(error instanceof LoginLostError)) throw error;
      this.#line.loginLost(error.reason);
      throw new NotConnectedError('the login is lost', { cause: error });
    }
  }

  /** Finds out whose login it is, and where its updates begin. Once, right after a login. */
  async introduce(signal: AbortSignal): Promise<Profile> {
    const [profile, state] = await Promise.all([
      this.#profile.first(signal),
      this.#caller.call(new Api.updates.GetState(), signal),
    ]);
    this.#flow.startAt(state);
    this.updatesWanted();
    return profile;
  }

  /** Looks whether the account's name, username, phone or photo has changed. */
  refreshProfile(): void {
    this.#profile.look();
  }

  /** Tells Telegram that the login is over; best effort, bounded. Stops the session. */
  async logOut(): Promise<void> {
    this.#end();
    const wire = this.#line.current;
    if (wire !== undefined) await logOutOn(this.#setting, wire);
    this.#line.stop();
    if (wire === undefined) await logOutStored(this.#setting, this.snapshot());
  }

  #end(): void {
    this.#online = false;
    this.#stop.abort(new Error('the session has ended'));
    this.#flow.stop();
  }

  #up(): void {
    this.#online = true;
    this.#flow.startRoutine();
    this.#listener.up();
    this.updatesWanted();
  }

  #noteUpdate(update: Api.TypeUpdate): void {
    this.#chats.note(update);
    const isAboutUser =
      update instanceof Api.UpdateUserName || update instanceof Api.UpdateUser || update instanceof Api.UpdateUserPhone;
    if (isAboutUser) this.#users.forget(update.userId.toString());
    if (isAboutUser && update.userId.toString() === this.#login.account?.id) this.refreshProfile();
  }
}
