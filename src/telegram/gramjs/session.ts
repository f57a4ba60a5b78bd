import { Api } from 'telegram/tl/index.js';
import { Line } from '../line.ts';
import { lostLoginReason } from '../login-lost.ts';
import type { LoginState } from '../login-state.ts';
import { PeerBook } from '../peer-book.ts';
import type { UpdateRecord } from '../port/updates.ts';
import { TelegramError } from '../port.ts';
import type { OnWait } from '../retry-policy.ts';
import type { TelegramLog } from '../telegram-log.ts';
import { within } from '../waiting.ts';
import { GramAccount } from './account.ts';
import { Caller } from './caller.ts';
import type { LostReason } from './catch-up.ts';
import { ChatUsers } from './chat-users.ts';
import { GramChats } from './chats.ts';
import { FileConnections } from './file-connections.ts';
import { GramFiles } from './files.ts';
import { logOutOn, logOutStored } from './log-out.ts';
import { submitPassword } from './password-login.ts';
import { type Profile, ProfileWatch } from './profile-watch.ts';
import { UnreadableAnswerError } from './sender.ts';
import { SentMessages } from './sent-messages.ts';
import { UpdateFlow } from './update-flow.ts';
import { createUpload } from './upload-file.ts';
import { openWire, type Wire, type WireSetting } from './wire.ts';

export interface SessionSetting extends WireSetting {
  log: TelegramLog;
}

export interface SessionListener {
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

/** The first request on a new connection: Telegram answers it, or the connection is as good as none. */
const greetingMs = 15_000;
/** How old the stored position may become: Telegram keeps what lies after it for about as long as anybody is away. */
const keepMs = 30 * 60_000;

/** A login that exists: kept connected, asked, caught up, and written down, until it is stopped or lost. */
export class GramSession {
  readonly account: GramAccount;
  readonly #setting: SessionSetting;
  readonly #listener: SessionListener;
  readonly #login: LoginState;
  readonly #book: PeerBook;
  readonly #line: Line<Wire>;
  readonly #caller: Caller;
  readonly #files: FileConnections;
  readonly #chats: GramChats;
  readonly #users: ChatUsers;
  readonly #flow: UpdateFlow;
  readonly #profile: ProfileWatch;
  readonly #stop = new AbortController();
  #online = false;
  /** The position of the last snapshot, and when it was taken. */
  #kept: { pts: number; at: number };

  /** @param record where updates are recorded, asked already where it ends; the login's position is the later one */
  constructor(setting: SessionSetting, login: LoginState, record: UpdateRecord, listener: SessionListener) {
    this.#setting = setting;
    this.#listener = listener;
    this.#login = login;
    this.#book = new PeerBook(login.peers);
    this.#book.onChange(() => listener.changed());
    this.#line = new Line<Wire>(setting, (signal) => this.#open(signal), {
      up: () => this.#up(),
      down: (reason) => {
        this.#online = false;
        listener.down(reason);
      },
      loginLost: (reason) => {
        this.#end();
        listener.loginLost(reason);
      },
    });
    this.#caller = new Caller(setting.clock, this.#line, {
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
    this.#kept = { pts: login.position?.pts ?? 0, at: setting.clock.now() };
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
  start(first?: Wire): void {
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
    if (position !== undefined) this.#kept = { pts: position.pts, at: this.#setting.clock.now() };
    return { ...this.#login, ...(position && { position }), peers: this.#book.all() };
  }

  /** Whether the position has moved since it was last asked for to be stored. */
  get hasMoved(): boolean {
    const position = this.#flow.recorded;
    return position !== undefined && position.pts !== this.#kept.pts;
  }

  /** Somebody may want updates from now on: what has been seen so far is of the time before. */
  updatesWanted(): void {
    if (this.#line.current !== undefined) this.#flow.markCurrent();
    if (this.hasMoved && this.#setting.clock.now() - this.#kept.at >= keepMs) this.#listener.changed();
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
    const isLoggedIn = (): Promise<boolean> => this.#isLoggedIn(signal);
    const outcome = await submitPassword(call, this.#setting.random, password, isLoggedIn, signal);
    if (outcome === 'accepted') this.#login.stage = 'complete';
    return outcome;
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

  async #open(signal: AbortSignal): Promise<Wire> {
    const { dc, keys } = this.#login;
    const key = keys.get(dc);
    const onUpdate = (updates: Api.TypeUpdates): void => this.handle(updates);
    const wire = await openWire(this.#setting, { dc, ...(key && { key }), onUpdate }, signal);
    try {
      const greeting = this.#greet(wire);
      await within(this.#setting.clock, greetingMs, greeting, () => new Error('no answer'), signal);
    } catch (error) {
      // Refused, but answered: the connection is good, what was asked for comes another time.
      const isAnswer = error instanceof TelegramError || error instanceof UnreadableAnswerError;
      if (!isAnswer || lostLoginReason(error) !== undefined) {
        wire.close();
        throw error;
      }
      this.#flow.recover();
    }
    return wire;
  }

  async #greet(wire: Wire): Promise<void> {
    if (this.#login.stage === 'password') {
      await wire.introduce(new Api.account.GetPassword());
      return;
    }
    await this.#flow.greet(wire);
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

  async #isLoggedIn(signal: AbortSignal): Promise<boolean> {
    const wire = await this.#line.wire(signal);
    try {
      await within(
        this.#setting.clock,
        greetingMs,
        wire.invoke(new Api.updates.GetState()),
        () => new Error('no answer'),
      );
      return true;
    } catch {
      return false;
    }
  }
}
