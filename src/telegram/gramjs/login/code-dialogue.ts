import { withTimeout } from '../../../../actors/kit/timeout.ts';
import {
  type CodeOutcome,
  LoginImpossibleError,
  type LoginRequest,
  type TelegramFact,
} from '../../../../actors/ports/telegram-session.ts';
import type { OnWait } from '../../connection/retry-after.ts';
import type { LoginKey, LoginState } from '../../login/login-state.ts';
import { NotConnectedError } from '../../port/errors.ts';
import type { GramSessionDeps } from '../connection/session-deps.ts';
import { type LoginStep, logInBot, requestCode, signIn } from './code-login.ts';
import type { LoginCallDeps, LoginPlace } from './login-call.ts';
import type { LoginTask } from './login-task.ts';
import { checkString, readString } from './string-login.ts';

/** How many codes one login attempt may ask for (LG1). */
const maxCodes = 3;
/** Limit for a login that its caller waits for, with the waits that Telegram asks for. */
const firstLoginMs = 180_000;
const outOfReach = (): Error => new NotConnectedError('telegram is out of reach');

/** What the dialogue needs of the session whose login it makes. */
export interface CodeDialogueHost {
  load(task: LoginTask): Promise<LoginState | undefined>;
  /** Resolves when the login is stored. */
  save(task: LoginTask, state: LoginState): Promise<void>;
  /** Ends what the session does otherwise, a QR login for example. */
  take(login: number): LoginTask;
  /** Takes a login that is stored only when that is recorded. @returns false if another session has its key */
  borrow(login: LoginKey): Promise<boolean>;
  /** Opens the session with a login that is made, stores it, and says what to report of it. */
  enter(task: LoginTask, made: MadeLogin): Promise<TelegramFact>;
  /** Resolves when the fact is recorded, and does what follows from it. */
  settle(task: LoginTask, fact: TelegramFact): Promise<void>;
  noteWait: OnWait;
}

/** A login that is complete, or needs its password, and the session's logins before it. */
export type MadeLogin = Extract<LoginStep, { connection: unknown }> & { former?: readonly LoginKey[] | undefined };

/** A login that is made, as it is stored. */
export function loginOf({ stage, connection, former, isBot }: MadeLogin): LoginState {
  const { dc, key } = connection;
  const keys = new Map([[dc, key]]);
  return { stage, dc, keys, peers: [], ...(former && { former }), ...(isBot && { isBot }) };
}

/** Logs in a session by a code, by the token of a bot, or by a session string. None of them is kept. */
export class CodeDialogue {
  readonly #deps: GramSessionDeps;
  readonly #host: CodeDialogueHost;

  constructor(deps: GramSessionDeps, host: CodeDialogueHost) {
    this.#deps = deps;
    this.#host = host;
  }

  /** The first login of a session. @returns its fact, which is not reported */
  logIn(task: LoginTask, request: LoginRequest): Promise<TelegramFact> {
    const { clock } = this.#deps;
    const signal = task.stop;
    const make = async (): Promise<TelegramFact> => {
      if ('string' in request) return this.#logInByString(task, request.string);
      const place = this.#newPlace();
      const deps = this.#callDeps(task);
      if (!('phone' in request)) {
        return this.#host.enter(task, made(await logInBot(deps, place, request.botToken, signal)));
      }
      const step = await requestCode(deps, place, request.phone, undefined, signal);
      return this.#proceed(task, step, { ...place, peers: [] }, request.phone);
    };
    return withTimeout(clock, firstLoginMs, outOfReach, make, signal);
  }

  async #logInByString(task: LoginTask, text: string): Promise<TelegramFact> {
    const login = readString(text);
    if (!(await this.#host.borrow(login))) throw new LoginImpossibleError('string is used by another session');
    const checked = await checkString(this.#callDeps(task), login, task.stop);
    const fact = await this.#host.enter(task, checked);
    return fact.type === 'LoggedIn' ? { ...fact, type: 'LoginImported', format: login.format } : fact;
  }

  async sendCode(task: LoginTask, phone: string): Promise<'sent' | 'accepted' | 'used-up'> {
    const stored = await this.#host.load(task);
    const before = stored?.stage === 'code' ? stored : undefined;
    if ((before?.code?.number ?? 0) >= maxCodes) return 'used-up';
    const place = before ?? this.#newPlace();
    const former = before?.code?.phone === phone ? before.code : undefined;
    const step = await requestCode(this.#callDeps(task), place, phone, former, task.stop);
    if (task.stop.aborted || task.session !== undefined) {
      if (step.stage !== 'code') step.connection.close();
      task.stop.throwIfAborted();
      throw new NotConnectedError('the QR code was scanned meanwhile');
    }
    const next = this.#host.take(task.login);
    await next.steps.run(async () => {
      await this.#host.settle(next, await this.#proceed(next, step, before ?? { ...place, peers: [] }, phone));
    });
    return step.stage === 'code' ? 'sent' : 'accepted';
  }

  async submitCode(task: LoginTask, code: string): Promise<CodeOutcome> {
    // The code that was sent last may not be stored yet. Only after that can it be stored what this one comes to.
    await task.steps.ended();
    const stored = await this.#host.load(task);
    if (stored?.code === undefined) throw outOfReach();
    const { code: sent, former } = stored;
    const deps = this.#callDeps(task);
    const step = await signIn(deps, stored, sent, code, task.stop);
    if (step === 'rejected') return 'rejected';
    const run = (work: () => Promise<TelegramFact>): Promise<void> =>
      task.steps.run(async () => this.#host.settle(task, await work()));
    if (step !== 'expired') {
      await run(() => this.#host.enter(task, { ...made(step), former }));
      return 'accepted';
    }
    if (sent.number >= maxCodes) {
      // Once that is recorded the session is deleted, which ends the task.
      await run(async () => ({ type: 'CodesUsedUp', login: task.login })).catch((error: unknown) => {
        if (!task.stop.aborted) throw error;
      });
      return 'used-up';
    }
    const next = await requestCode(deps, stored, sent.phone, undefined, task.stop);
    await run(() => this.#proceed(task, next, stored, sent.phone));
    return next.stage === 'code' ? 'renewed' : 'accepted';
  }

  /** Stores what a request for a code came to. @param before the login so far */
  async #proceed(
    task: LoginTask,
    step: LoginStep,
    before: Omit<LoginState, 'stage'>,
    phone: string,
  ): Promise<TelegramFact> {
    const { dc, keys, former } = before;
    if (step.stage !== 'code') return this.#host.enter(task, { ...step, former });
    const { to, hash } = step;
    const number = (before.code?.number ?? 0) + 1;
    const code = { phone, hash, to, number };
    await this.#host.save(task, { stage: 'code', dc, keys, peers: [], ...(former && { former }), code });
    return { type: 'CodeSent', login: task.login, to, number, phone };
  }

  #newPlace(): LoginPlace {
    return { dc: this.#deps.network.homeDc, keys: new Map() };
  }

  #callDeps(task: LoginTask): LoginCallDeps {
    const { noteWait } = this.#host;
    return { ...this.#deps, onWait: noteWait, onUpdate: (update) => task.session?.handle(update) };
  }
}

/** @throws {Error} Telegram wants a code where none can be */
function made(step: LoginStep): MadeLogin {
  if (step.stage === 'code') throw new Error('telegram wants a code');
  return step;
}
