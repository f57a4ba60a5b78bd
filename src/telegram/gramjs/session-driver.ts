import { storeAway } from '../../../actors/kit/retry-policy.ts';
import type { ReportTelegramFact, TelegramFact, TelegramSession } from '../../../actors/ports/telegram-session.ts';
import { telegramAway } from '../connection/reconnect-policy.ts';
import type { AskedWait } from '../connection/retry-after.ts';
import { FactReporter } from '../fact-reporter.ts';
import type { LoginRefusals } from '../login/login-refusals.ts';
import { LoginRepository } from '../login/login-repository.ts';
import { type LoginState, laterPosition, loginKeys } from '../login/login-state.ts';
import { LoginSteps } from '../login/login-steps.ts';
import type { LoginStore } from '../login/login-store.ts';
import type { TelegramAccount } from '../port/account.ts';
import { NotConnectedError } from '../port/errors.ts';
import type { UpdateRecord, UpdateRecording } from '../port/updates.ts';
import { errorNameOf } from '../telegram-log.ts';
import { keyForgotten } from './connection/key-doubt.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';
import { GramSession } from './gram-session.ts';
import { PendingLogouts } from './login/pending-logouts.ts';
import { logInByQr } from './login/qr-login.ts';

export interface SessionDriverDeps extends GramSessionDeps {
  loginStore: LoginStore;
  /** Gets Telegram's answers to requests for QR codes. */
  loginRefusals?: LoginRefusals;
  /** The recorder of updates. Default: none. */
  recording?: UpdateRecording;
  /** Called for every wait that Telegram asks for; it is logged already. */
  onWait?: (sessionId: string, wait: AskedWait) => void;
}

/** The current task, under one login number. */
interface Task {
  readonly login: number;
  readonly stop: AbortController;
  readonly steps: LoginSteps;
  session?: GramSession;
  record?: UpdateRecord;
  /** Why Telegram issued no QR code last. */
  refusal?: string | undefined;
  /** The session's actor has it as disconnected, so the next connection must be reported. */
  owesRestored: boolean;
  /** It was connected before: the account may have changed meanwhile. */
  hasBeenUp?: true;
}

/** A recorder that wants nothing. */
const noRecord: UpdateRecord = {
  isWanted: false,
  resume: () => Promise.resolve(undefined),
  continueFrom: () => Promise.resolve(undefined),
  known: () => Promise.resolve(undefined),
  record: () => Promise.resolve(),
  close: () => undefined,
};

/** A session that should have a stored login and has none. */
const loginMissing = 'LOGIN_MISSING';

/** Drives one session at Telegram over GramJS: runs the actor's instructions, and reports what happens as facts. */
export class SessionDriver implements TelegramSession {
  readonly #deps: SessionDriverDeps;
  readonly #sessionId: string;
  readonly #onClose: () => void;
  readonly #logins: LoginRepository;
  readonly #reporter: FactReporter;
  readonly #pendingLogouts: PendingLogouts;
  #task: Task | undefined;
  /** Telegram itself ended the stored login: there is nothing to log out. */
  #isStoredLoginDead = false;
  /** The stored login may still be open at Telegram: kept until another login succeeds, then logged out (SE9.4). */
  #isStoredLoginKept = false;

  /** @param onClose called when closing begins */
  constructor(deps: SessionDriverDeps, sessionId: string, report: ReportTelegramFact, onClose: () => void) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#onClose = onClose;
    this.#logins = new LoginRepository(deps, sessionId);
    this.#reporter = new FactReporter(deps, report);
    this.#pendingLogouts = new PendingLogouts(deps, this.#logins, () => report({ type: 'LoggedOut' }));
  }

  /** The account while it is connected. */
  get account(): TelegramAccount | undefined {
    const session = this.#task?.session;
    return session?.isConnected ? session.account : undefined;
  }

  startQrLogin(login: number): void {
    this.#begin(login, async (task) => {
      if (!this.#pendingLogouts.areInFlight && !this.#isStoredLoginKept) this.#leave(undefined, this.#keepStored);
      const { stage, connection } = await logInByQr(
        this.#deps,
        {
          onToken: ({ link, expires }) => {
            this.#noteRefusal(task, undefined);
            this.#post(task, { type: 'QrIssued', login, link, expires });
          },
          onRefused: (reason) => this.#noteRefusal(task, reason),
          onUpdate: (update) => task.session?.handle(update),
        },
        task.stop.signal,
      );
      const session = this.#openSession(task, {
        stage,
        dc: connection.dc,
        keys: new Map([[connection.dc, connection.key]]),
        peers: [],
      });
      session.start(connection);
      // Dropping the old login must not drop the new one.
      await this.#pendingLogouts.settled();
      if (this.#isStoredLoginKept) await this.#takeOverKept(task, session);
      await this.#afterStep(task, session);
    });
  }

  awaitPassword(login: number): void {
    if (this.#task?.login === login) return;
    this.#begin(login, async (task) => {
      const stored = await this.#load(task);
      if (stored === undefined) return this.#post(task, { type: 'LoginLost', login, reason: loginMissing });
      const session = this.#openSession(task, stored);
      session.start();
      // The process may have ended after Telegram accepted the password and before that was recorded.
      if (session.stage === 'complete') await task.steps.run(() => this.#afterStep(task, session));
    });
  }

  connect(login: number): void {
    if (this.#task?.login === login) return;
    this.#begin(login, async (task) => {
      const stored = await this.#load(task);
      if (stored?.stage !== 'complete') return this.#post(task, { type: 'LoginLost', login, reason: loginMissing });
      task.owesRestored = true;
      const record = this.#openRecord(task);
      const recorded = await task.steps.retry(storeAway, () => record.resume());
      const position = laterPosition(stored.position, recorded);
      const session = this.#openSession(task, { ...stored, ...(position && { position }) }, record);
      session.start();
      this.#leaveFormer(task, session);
    });
  }

  async submitPassword(login: number, password: string): Promise<'accepted' | 'rejected'> {
    const task = this.#task;
    const session = task?.session;
    if (task?.login !== login || session === undefined) throw new NotConnectedError('telegram is out of reach');
    const { signal } = task.stop;
    const outcome = session.stage === 'complete' ? 'accepted' : await session.submitPassword(password, signal);
    if (outcome === 'accepted') await task.steps.run(() => this.#afterStep(task, session));
    return outcome;
  }

  logOut(): void {
    this.#leave(this.#endTask(), this.#keepStored);
  }

  async close(): Promise<void> {
    this.#onClose();
    const session = this.#endTask();
    session?.stop();
    await session?.ended();
    if (session?.stage === 'complete' && session.hasMoved) this.#logins.saveSoon(() => session.snapshot());
    await Promise.all([this.#logins.flush(), this.#pendingLogouts.settled()]);
  }

  /** Ends the current task and starts another. */
  #begin(login: number, work: (task: Task) => Promise<void>): void {
    this.#endTask()?.stop();
    const stop = new AbortController();
    const steps = new LoginSteps(this.#deps, this.#reporter, stop.signal);
    const task: Task = { login, stop, steps, owesRestored: false };
    this.#task = task;
    work(task).catch((error: unknown) => {
      if (task.stop.signal.aborted) return;
      this.#deps.log('error', 'a login failed', { error: errorNameOf(error) });
    });
  }

  #endTask(): GramSession | undefined {
    const task = this.#task;
    this.#task = undefined;
    task?.stop.abort(new NotConnectedError('the session is at something else now'));
    task?.record?.close();
    return task?.session;
  }

  /** Closed together with the task. */
  #openRecord(task: Task): UpdateRecord {
    const onWanted = (): void => task.session?.updatesWanted();
    const record = this.#deps.recording?.open(this.#sessionId, task.login, onWanted) ?? noRecord;
    task.record = record;
    return record;
  }

  #openSession(task: Task, state: LoginState, record = this.#openRecord(task)): GramSession {
    const session = new GramSession(this.#deps, state, record, {
      up: () => this.#up(task),
      down: (reason) => {
        task.owesRestored = true;
        if (session.stage === 'complete') this.#post(task, { type: 'ConnectionLost', login: task.login, reason });
      },
      loginLost: (reason) => {
        if (reason === keyForgotten || session.former.length > 0) this.#isStoredLoginKept = true;
        else this.#isStoredLoginDead = true;
        this.#post(task, { type: 'LoginLost', login: task.login, reason });
      },
      updatesLost: (reason) => this.#post(task, { type: 'UpdatesLost', login: task.login, reason }),
      frozen: (request) => {
        this.#deps.log('error', 'telegram has frozen the account', { session: this.#sessionId, request });
        this.#post(task, { type: 'AccountFrozen', login: task.login, reason: 'FROZEN_METHOD_INVALID' });
      },
      changed: () => {
        if (!task.stop.signal.aborted) this.#logins.saveSoon(() => session.snapshot());
      },
      stored: () => this.#logins.flush(),
      profileChanged: (profile) => this.#post(task, { type: 'AccountChanged', login: task.login, ...profile }),
      waitAsked: (wait) => this.#noteWait(wait),
    });
    task.session = session;
    this.#isStoredLoginDead = false;
    return session;
  }

  /** A refusal is a fact of the session, once for each reason. */
  #noteRefusal(task: Task, reason: string | undefined): void {
    this.#deps.loginRefusals?.note(reason, this.#sessionId);
    if (reason !== undefined && reason !== task.refusal) {
      this.#post(task, { type: 'LoginRefused', login: task.login, reason });
    }
    task.refusal = reason;
  }

  #noteWait(wait: AskedWait): void {
    this.#deps.log(wait.waited ? 'info' : 'warn', 'telegram asked to wait', { session: this.#sessionId, ...wait });
    this.#deps.onWait?.(this.#sessionId, wait);
  }

  #up(task: Task): void {
    if (task.session?.stage !== 'complete') return;
    if (task.owesRestored || task.hasBeenUp) task.session.refreshProfile();
    task.hasBeenUp = true;
    if (task.owesRestored) this.#post(task, { type: 'ConnectionRestored', login: task.login });
    task.owesRestored = false;
  }

  /** A step of the login is complete, now or before a restart. The fact is reported only once the login is stored. */
  async #afterStep(task: Task, session: GramSession): Promise<void> {
    const { login, steps, stop } = task;
    await steps.write(() => this.#logins.save(session.snapshot()));
    if (session.stage === 'complete') return this.#complete(task, session);
    const hint = await steps.retry(telegramAway, () => session.passwordHint(stop.signal));
    await steps.report({ type: 'PasswordRequested', login, hint });
  }

  async #complete(task: Task, session: GramSession): Promise<void> {
    const { login, steps, stop } = task;
    const profile = await steps.retry(telegramAway, () => session.introduce(stop.signal));
    await steps.write(() => this.#logins.save(session.snapshot()));
    task.owesRestored = false;
    await steps.report({ type: 'LoggedIn', login, ...profile });
    session.catchUp();
    if (profile.picture === '') session.refreshProfile();
    this.#leaveFormer(task, session);
  }

  readonly #keepStored = (): void => {
    this.#isStoredLoginKept = true;
  };

  /** The stored login becomes a former one of the session, which is stored with it. */
  async #takeOverKept(task: Task, session: GramSession): Promise<void> {
    const stored = await this.#load(task);
    if (stored !== undefined) session.former = loginKeys(stored);
    this.#isStoredLoginKept = false;
  }

  /** Those of which Telegram does not answer are left to the next start. */
  #leaveFormer(task: Task, session: GramSession): void {
    this.#pendingLogouts.startFormer(session.former, (open) => {
      session.former = open;
      if (!task.stop.signal.aborted) this.#logins.saveSoon(() => session.snapshot());
    });
  }

  #leave(session: GramSession | undefined, onKept: () => void): void {
    this.#isStoredLoginKept = false;
    this.#pendingLogouts.start(this.#isStoredLoginDead, session, onKept);
  }

  #load({ steps }: Task): Promise<LoginState | undefined> {
    return steps.retry(storeAway, () => this.#logins.load());
  }

  #post(task: Task, fact: TelegramFact): void {
    this.#reporter.post(fact, task.stop.signal).catch(() => undefined);
  }
}
