import { LightAbort } from '../../../actors/kit/light-abort.ts';
import type {
  CodeOutcome,
  LoginRequest,
  StringFormat,
  TelegramFact,
  TelegramSession,
} from '../../../actors/ports/telegram-session.ts';
import type { AskedWait } from '../connection/retry-after.ts';
import { FactReporter } from '../fact-reporter.ts';
import { LoginRepository } from '../login/login-repository.ts';
import type { LoginState } from '../login/login-state.ts';
import type { TelegramAccount } from '../port/account.ts';
import { NotConnectedError } from '../port/errors.ts';
import type { UpdateRecord } from '../port/updates.ts';
import type { Route } from '../proxy/route.ts';
import { errorNameOf } from '../telegram-log.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';
import { createRoute } from './connection/session-route.ts';
import { tryProxy } from './connection/try-proxy.ts';
import { GramSession } from './gram-session.ts';
import { CodeDialogue, loginOf, type MadeLogin } from './login/code-dialogue.ts';
import { createTask, endTask, isNewRefusal, type LoginTask, openRecord } from './login/login-task.ts';
import { logInByQr } from './login/qr-login.ts';
import { loginMissing, reportSession } from './login/report-session.ts';
import { sessionStringOf } from './login/session-string-of.ts';
import { storeStep } from './login/store-step.ts';
import { loginToResume, StoredLogin } from './login/stored-login.ts';
import type { SessionDriverDeps, SessionDriverHost } from './session-driver-deps.ts';

/** Drives one session at Telegram over GramJS: runs the actor's instructions, and reports what happens as facts. */
export class SessionDriver implements TelegramSession {
  readonly #deps: SessionDriverDeps & GramSessionDeps;
  readonly #sessionId: string;
  readonly #onClose: () => void;
  readonly #route: Route;
  readonly #closing = new LightAbort();
  readonly #logins: LoginRepository;
  readonly #reporter: FactReporter;
  readonly #stored: StoredLogin;
  readonly #codes: CodeDialogue;
  #task: LoginTask | undefined;

  constructor(process: SessionDriverDeps, sessionId: string, { report, readProxy, onClose }: SessionDriverHost) {
    this.#route = createRoute(process, sessionId, readProxy, () => this.#logins);
    const mayWrite = (): boolean => process.ownership?.owns(sessionId) ?? true;
    const deps = { ...process, mayWrite, route: this.#route };
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#onClose = onClose;
    this.#logins = new LoginRepository(deps, sessionId);
    this.#reporter = new FactReporter(deps, report);
    this.#stored = new StoredLogin(deps, this.#logins, () => report({ type: 'LoggedOut' }));
    this.#codes = new CodeDialogue(deps, {
      load: (task) => this.#load(task),
      save: (task, state) => this.#saveCode(task, state),
      borrow: (login) => this.#logins.borrow(login),
      take: (login) => this.#begin(login),
      enter: (task, made) => this.#enter(task, made),
      settle: (task, fact) => this.#settle(task, fact),
      noteWait: (wait) => this.#noteWait(wait),
    });
  }

  /** The account while it is connected. */
  get account(): TelegramAccount | undefined {
    const session = this.#task?.session;
    return session?.isConnected ? session.account : undefined;
  }

  /** With a login, connected or not. */
  get session(): GramSession | undefined {
    return this.#task?.session;
  }

  tryProxy(url: string): Promise<void> {
    return tryProxy(this.#deps, this.#route.through(url), this.#task?.session?.dc, this.#closing);
  }

  useProxy(): void {
    this.#route.change();
    this.session?.reconnect();
  }

  startQrLogin(login: number): void {
    this.#begin(login, async (task) => {
      this.#stored.leaveBeforeNext();
      const made = await logInByQr(
        this.#deps,
        {
          onToken: ({ link, expires }) => {
            this.#noteRefusal(task, undefined);
            this.#post(task, { type: 'QrIssued', login, link, expires });
          },
          onRefused: (reason) => this.#noteRefusal(task, reason),
          onUpdate: (update) => task.session?.handle(update),
        },
        task.stop,
      );
      await this.#settle(task, await this.#enter(task, made));
    });
  }

  async logIn(login: number, request: LoginRequest): Promise<TelegramFact> {
    const task = this.#begin(login);
    const fact = await this.#codes.logIn(task, request);
    this.#followUp(task, fact);
    return fact;
  }

  awaitCode(login: number): void {
    if (this.#task?.login !== login) this.#resume(login, 'code');
  }

  awaitPassword(login: number): void {
    if (this.#task?.login !== login) this.#resume(login, 'password');
  }

  connect(login: number): void {
    if (this.#task?.login === login) return;
    this.#begin(login, async (task) => {
      const stored = await this.#load(task);
      if (stored?.stage !== 'complete') return this.#post(task, { type: 'LoginLost', login, reason: loginMissing });
      task.owesRestored = true;
      const record = openRecord(this.#deps, this.#sessionId, task);
      const session = this.#openSession(task, await loginToResume(task, stored, record), record);
      session.start();
      this.#stored.leaveFormer(session, task.stop);
    });
  }

  sendCode(login: number, phone: string): ReturnType<TelegramSession['sendCode']> {
    return this.#codes.sendCode(this.#current(login), phone);
  }

  async submitCode(login: number, code: string): Promise<CodeOutcome> {
    const task = this.#current(login);
    const { session } = task;
    if (session === undefined) return this.#codes.submitCode(task, code);
    await task.steps.run(() => this.#afterStep(task, session));
    return 'accepted';
  }

  async submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'> {
    const task = this.#current(login);
    const { session } = task;
    if (session === undefined) throw new NotConnectedError('telegram is out of reach');
    const outcome = session.stage === 'complete' ? 'accepted' : await session.submitPassword(password, task.stop);
    if (outcome === 'accepted') await task.steps.run(() => this.#afterStep(task, session));
    return outcome;
  }

  logOut(): void {
    this.#stored.leave(this.#endTask());
  }

  async exportLogin(login: number, format: StringFormat): Promise<string> {
    return sessionStringOf(this.#deps.network, this.#current(login), format);
  }

  keepLogin(login: number): void {
    if (this.#task?.login === login) this.#stored.keep(this.#task);
  }

  loginKept(): Promise<void> {
    return this.#stored.kept();
  }

  dropLogin(): void {
    this.#stored.drop(this.#endTask());
  }

  loginDropped(): Promise<void> {
    return this.#stored.dropped();
  }

  giveUpLogOuts(): void {
    this.#stored.giveUpLogOuts();
  }

  async close(): Promise<void> {
    this.#onClose();
    this.#closing.abort(new NotConnectedError('the session is closing'));
    const session = this.#endTask();
    this.#stored.stop();
    session?.stop();
    await session?.ended();
    if (session?.stage === 'complete' && session.hasMoved) this.#logins.saveSoon(() => session.snapshot());
    await Promise.all([this.#logins.flush(true), this.#stored.settled()]);
  }

  /** @throws {NotConnectedError} the session is at another login */
  #current(login: number): LoginTask {
    if (this.#task?.login !== login) throw new NotConnectedError('telegram is out of reach');
    return this.#task;
  }

  /** Ends the current task and starts another. @throws {NotConnectedError} nothing would end it: the session is closed */
  #begin(login: number, work?: (task: LoginTask) => Promise<void>): LoginTask {
    this.#closing.throwIfAborted();
    this.#endTask()?.stop();
    const task = createTask(this.#deps, this.#reporter, login);
    this.#task = task;
    work?.(task).catch((error: unknown) => {
      if (!task.stop.aborted) this.#deps.log('error', 'a login failed', { error: errorNameOf(error) });
    });
    return task;
  }

  /** Continues a login that waits for its code or its password. */
  #resume(login: number, awaited: LoginState['stage']): void {
    this.#begin(login, async (task) => {
      const stored = await this.#load(task);
      if (stored === undefined) return this.#post(task, { type: 'LoginLost', login, reason: loginMissing });
      if (stored.stage === 'code') return;
      const session = this.#openSession(task, stored);
      session.start();
      // The process may have ended after Telegram accepted the code or password and before that was recorded.
      if (stored.stage !== awaited) await task.steps.run(() => this.#afterStep(task, session));
    });
  }

  #endTask(): GramSession | undefined {
    const task = this.#task;
    this.#task = undefined;
    return task && endTask(task);
  }

  /** @throws the task's reason, if it has ended: nothing would close the session */
  #openSession(task: LoginTask, state: LoginState, opened?: UpdateRecord): GramSession {
    task.stop.throwIfAborted();
    const record = opened ?? openRecord(this.#deps, this.#sessionId, task);
    const listener = reportSession(task, {
      log: this.#deps.log,
      sessionId: this.#sessionId,
      logins: this.#logins,
      stored: this.#stored,
      isBot: state.isBot,
      post: (fact) => this.#post(task, fact),
      noteWait: (wait) => this.#noteWait(wait),
    });
    const session = new GramSession(this.#deps, state, record, listener);
    task.session = session;
    this.#stored.opened();
    return session;
  }

  /** A refusal is a fact of the session, once for each reason. */
  #noteRefusal(task: LoginTask, reason: string | undefined): void {
    this.#deps.loginRefusals?.note(reason, this.#sessionId);
    if (isNewRefusal(task, reason)) this.#post(task, { type: 'LoginRefused', login: task.login, reason });
  }

  #noteWait(wait: AskedWait): void {
    this.#deps.log(wait.waited ? 'info' : 'warn', 'telegram asked to wait', { session: this.#sessionId, ...wait });
    this.#deps.onWait?.(this.#sessionId, wait);
  }

  /** Opens the session with a login that was made, and stores it. @returns what to report of it */
  async #enter(task: LoginTask, made: MadeLogin): Promise<TelegramFact> {
    if (task.stop.aborted) made.connection.close();
    const session = this.#openSession(task, loginOf(made));
    session.start(made.connection);
    session.former = (await this.#stored.toTakeAlong(() => this.#load(task))) ?? session.former;
    return storeStep(task, session, this.#logins);
  }

  /** A step of the login is complete, now or before a restart. */
  async #afterStep(task: LoginTask, session: GramSession): Promise<void> {
    await this.#settle(task, await storeStep(task, session, this.#logins));
  }

  async #settle(task: LoginTask, fact: TelegramFact): Promise<void> {
    if (fact.type === 'LoggedIn') task.owesRestored = false;
    await task.steps.report(fact);
    this.#followUp(task, fact);
  }

  /** A login is complete and recorded. */
  #followUp({ session, stop }: LoginTask, fact: TelegramFact): void {
    if (!('picture' in fact) || session === undefined) return;
    session.catchUp();
    if (fact.picture === '') session.refreshProfile();
    this.#stored.leaveFormer(session, stop);
  }

  async #saveCode(task: LoginTask, state: LoginState): Promise<void> {
    const former = (await this.#stored.toTakeAlong(() => this.#load(task))) ?? state.former;
    await task.steps.write(() => this.#logins.save({ ...state, ...(former && { former }) }));
  }

  #load({ steps }: LoginTask): Promise<LoginState | undefined> {
    return steps.read(() => this.#logins.load());
  }

  #post(task: LoginTask, fact: TelegramFact): void {
    this.#reporter.post(fact, task.stop).catch(() => undefined);
  }
}
