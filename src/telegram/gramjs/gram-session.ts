import { Api } from 'telegram/tl/index.js';
import { LightAbort, type LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { PersistentConnection } from '../connection/persistent-connection.ts';
import { RateGate } from '../connection/rate-gate.ts';
import { LoginLostError } from '../login/login-lost.ts';
import { type LoginKey, type LoginState, loginKeys } from '../login/login-state.ts';
import { PeerCache } from '../peer-cache.ts';
import type { Reconnecting } from '../port/account.ts';
import { NotConnectedError, type TelegramError } from '../port/errors.ts';
import type { UpdateRecord } from '../port/updates.ts';
import type { GramAccount } from './account.ts';
import { isLoggedIn } from './connection/init-connection.ts';
import { learnAddresses } from './connection/learn-addresses.ts';
import { LoginMover } from './connection/move-login.ts';
import type { MtprotoConnection } from './connection/mtproto-connection.ts';
import { RpcCaller } from './connection/rpc-caller.ts';
import { createSessionConnection } from './connection/session-connection.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';
import { createAccount } from './create-account.ts';
import { FileConnections } from './files/file-connections.ts';
import type { GramSessionListener } from './gram-session-listener.ts';
import { logOutAll, logOutOn } from './login/log-out.ts';
import { submitPassword } from './login/password-login.ts';
import { ChatUsers } from './peers/chat-users.ts';
import { changesProfile, type Profile, ProfileWatch } from './profile-watch.ts';
import { SentMessages } from './sending/sent-messages.ts';
import { StoredPosition } from './updates/stored-position.ts';
import { UpdateFlow } from './updates/update-flow.ts';

/**
 * A logged-in session: keeps it connected, sends its requests, follows its updates and stores its login, until it is
 * stopped or its login is lost.
 */
export class GramSession {
  /** The session's logins before this one that may still be open at Telegram. */
  former: readonly LoginKey[];
  readonly #deps: GramSessionDeps;
  readonly #listener: GramSessionListener;
  readonly #login: LoginState;
  readonly #book: PeerCache;
  readonly #connection: PersistentConnection<MtprotoConnection>;
  readonly #caller: RpcCaller;
  readonly #files: FileConnections;
  readonly #users: ChatUsers;
  readonly #sent: SentMessages;
  readonly #flow: UpdateFlow;
  readonly #profile: ProfileWatch;
  readonly #stop = new LightAbort();
  readonly #ended = new LightAbort();
  readonly #storedPosition: StoredPosition;
  #account: GramAccount | undefined;
  #online = false;
  #isFrozen = false;

  /** @param record the record of updates, whose end was read already; the session continues from the later position */
  constructor(deps: GramSessionDeps, login: LoginState, record: UpdateRecord, listener: GramSessionListener) {
    this.#deps = deps;
    this.#listener = listener;
    this.#login = login;
    this.former = login.former ?? [];
    this.#book = new PeerCache(login.peers);
    this.#book.onChange(() => listener.changed());
    this.#connection = createSessionConnection(deps, login, () => this.#flow, {
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
    const gate = new RateGate(deps.clock);
    const mover = new LoginMover(deps, login, this.#connection, () => listener.changed());
    const frozen = ({ request }: TelegramError): void => {
      if (!this.#isFrozen) listener.frozen(request);
      this.#isFrozen = true;
    };
    this.#caller = new RpcCaller(deps.clock, this.#connection, gate, {
      answer: (answer, request) => {
        this.#flow.noteAnswer(answer, request);
        if (changesProfile(request)) this.refreshProfile();
        this.#learnAddresses();
      },
      wait: listener.waitAsked,
      frozen,
      moved: (dc) => mover.follow(dc),
      trace: deps.trace,
    });
    const { call } = this.#caller;
    this.#files = new FileConnections(
      deps,
      {
        login,
        call,
        keysChanged: () => listener.changed(),
        loginLost: (reason) => this.#connection.loginLost(reason),
        frozen,
        moved: (dc) => mover.follow(dc),
        gate,
        onWait: listener.waitAsked,
      },
      this.#stop,
    );
    const ownId = (): string | undefined => login.account?.id;
    this.#sent = new SentMessages((chat, id) => this.#flow.noteSent(chat, id), deps.logins, ownId);
    this.#users = new ChatUsers(this.#book, call);
    this.#storedPosition = new StoredPosition(deps.clock, login.position);
    this.#flow = new UpdateFlow(
      {
        clock: deps.clock,
        log: deps.log,
        record,
        book: this.#book,
        users: this.#users,
        sent: this.#sent,
        call,
        ownId,
        toGatewayTime: (seconds) => this.#toGatewayTime(seconds),
        onUpdate: (update) => this.#noteUpdate(update),
        onCurrent: () => this.updatesWanted(),
        onLost: (reason) => listener.updatesLost(reason),
        onChannels: () => listener.changed(),
        signal: this.#stop,
      },
      login,
    );
    this.#profile = new ProfileWatch(deps, login, { call, files: this.#files }, this.#stop, (profile) => {
      listener.changed();
      listener.profileChanged(profile);
    });
  }

  /** The account as features see it. It is made with its first use, since an idle session needs none. */
  get account(): GramAccount {
    this.#account ??= createAccount({
      deps: this.#deps,
      login: this.#login,
      book: this.#book,
      caller: this.#caller,
      files: this.#files,
      stored: () => this.#listener.stored(),
      sent: this.#sent,
      ended: this.#ended,
      toGatewayTime: (seconds) => this.#toGatewayTime(seconds),
    });
    return this.#account;
  }

  /** @param first the connection on which the login was made */
  start(first?: MtprotoConnection): void {
    this.#connection.start(first);
  }

  /** Closes everything, at once. */
  stop(): void {
    this.#end();
    this.#connection.stop();
  }

  /** The account's home data centre. */
  get dc(): number {
    return this.#login.dc;
  }

  /** Connects at once, if it waits before its next attempt. */
  reconnect(): void {
    this.#connection.retryNow();
  }

  get reconnecting(): Reconnecting | undefined {
    return this.#connection.reconnecting;
  }

  get stage(): LoginState['stage'] {
    return this.#login.stage;
  }

  /** Whether it is logged in and not known to be unreachable. */
  get isConnected(): boolean {
    return this.#online && this.#login.stage === 'complete';
  }

  /** The login to be stored. */
  snapshot(): LoginState {
    const reached = this.#flow.reached;
    if (reached.position !== undefined) this.#storedPosition.note(reached.position);
    return { ...this.#login, former: this.former, ...reached, peers: this.#book.all() };
  }

  /** Whether the position has moved since it was last stored. */
  get hasMoved(): boolean {
    return this.#storedPosition.isBehind(this.#flow.recorded);
  }

  /** A webhook was set: updates seen so far are from before it. */
  updatesWanted(): void {
    if (this.#connection.current !== undefined) this.#flow.markCurrent();
    if (this.#storedPosition.isTooOld(this.#flow.recorded)) this.#listener.changed();
  }

  /** Resolves when no record is in flight. Call it after {@link stop}. */
  ended(): Promise<void> {
    return this.#flow.ended();
  }

  /** Handles a push of Telegram. */
  readonly handle = (updates: Api.TypeUpdates): void => this.#flow.handle(updates);

  async passwordHint(signal: LightAbortSignal): Promise<string> {
    const { hint } = await this.#caller.call(new Api.account.GetPassword(), signal);
    return hint ?? '';
  }

  /** @throws {TelegramError} {@link NotConnectedError} */
  async submitPassword(password: string, signal: LightAbortSignal): Promise<'accepted' | 'rejected'> {
    const { call } = this.#caller;
    const { clock, random } = this.#deps;
    const isComplete = async (): Promise<boolean> => isLoggedIn(clock, await this.#connection.connection(signal));
    try {
      const outcome = await submitPassword(call, random, password, isComplete, signal);
      if (outcome === 'accepted') this.#login.stage = 'complete';
      return outcome;
    } catch (error) {
      if (!(error instanceof LoginLostError)) throw error;
      this.#connection.loginLost(error.reason);
      throw new NotConnectedError('the login is lost', { cause: error });
    }
  }

  /** Reads the account and the position of its updates. Called once, right after a login. */
  async introduce(signal: LightAbortSignal): Promise<Profile> {
    const [profile, state] = await Promise.all([
      this.#profile.first(signal),
      this.#caller.call(new Api.updates.GetState(), signal),
    ]);
    this.#sent.join();
    await this.#flow.startAs(this.#login.account?.id, state);
    this.updatesWanted();
    return profile;
  }

  /** Fetches what came between an earlier login of the account and this one. */
  readonly catchUp = (): void => this.#flow.recover();

  /** Checks whether the account's name, username, phone or photo has changed. */
  readonly refreshProfile = (): void => this.#profile.look();

  /** Logs out at Telegram, the former logins too, within a limit. Stops the session. @returns whether Telegram has answered */
  async logOut(signal: LightAbortSignal): Promise<boolean> {
    this.#end();
    const connection = this.#connection.current;
    const isAnswered = connection === undefined || (await logOutOn(this.#deps, connection, signal));
    this.#connection.stop();
    const others = connection === undefined ? loginKeys(this.snapshot()) : this.former;
    return (await logOutAll(this.#deps, others, signal)).length === 0 && isAnswered;
  }

  #toGatewayTime(seconds: number): number {
    return this.#connection.current?.toGatewayTime(seconds) ?? seconds * 1000;
  }

  #end(): void {
    this.#online = false;
    this.#sent.leave();
    const reason = new NotConnectedError('the session has ended');
    this.#stop.abort(reason);
    // The request by which the end became known fails first, with Telegram's own error.
    setImmediate(() => this.#ended.abort(reason));
    this.#flow.stop();
  }

  #learnAddresses(): void {
    const { current } = this.#connection;
    if (current !== undefined) learnAddresses(this.#deps, current);
  }

  #up(): void {
    this.#online = true;
    this.#learnAddresses();
    this.#flow.startRoutine();
    this.#listener.up();
    this.updatesWanted();
  }

  #noteUpdate(update: Api.TypeUpdate): void {
    this.#account?.chats.note(update);
    const isAboutUser =
      update instanceof Api.UpdateUserName || update instanceof Api.UpdateUser || update instanceof Api.UpdateUserPhone;
    if (isAboutUser) this.#users.forget(update.userId.toString());
    if (isAboutUser && update.userId.toString() === this.#login.account?.id) this.refreshProfile();
  }
}
