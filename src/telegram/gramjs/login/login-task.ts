import { LightAbort } from '../../../../actors/kit/light-abort.ts';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import type { FactReporter } from '../../fact-reporter.ts';
import { LoginSteps } from '../../login/login-steps.ts';
import { NotConnectedError } from '../../port/errors.ts';
import type { UpdateRecord } from '../../port/updates.ts';
import type { GramSession } from '../gram-session.ts';
import type { SessionDriverDeps } from '../session-driver-deps.ts';

/** What a session does at Telegram under one login number. */
export interface LoginTask {
  readonly login: number;
  readonly stop: LightAbort;
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
  mayWant: () => false,
  selection: () => Promise.resolve(() => false),
  channels: () => Promise.resolve(new Map()),
  live: () => undefined,
  resume: () => Promise.resolve(undefined),
  continueFrom: () => Promise.resolve(undefined),
  known: () => Promise.resolve(undefined),
  record: () => Promise.resolve(),
  close: () => undefined,
};

export function createTask(deps: SessionDriverDeps, reporter: FactReporter, login: number): LoginTask {
  const stop = new LightAbort();
  return { login, stop, steps: new LoginSteps(deps, reporter, stop), owesRestored: false };
}

/** Opens the task's recorder of updates, which is closed together with the task. */
export function openRecord({ recording }: SessionDriverDeps, sessionId: string, task: LoginTask): UpdateRecord {
  const onWanted = (): void => task.session?.updatesWanted();
  task.record = recording?.open(sessionId, task.login, onWanted) ?? noRecord;
  return task.record;
}

/** Whether Telegram refuses a QR code for another reason than before, if at all; it is remembered. */
export function isNewRefusal(task: LoginTask, reason: string | undefined): reason is string {
  const isNew = reason !== undefined && reason !== task.refusal;
  task.refusal = reason;
  return isNew;
}

/** Called when the task's session is connected. @param post reports a connection that was lost before */
export function noteConnected(task: LoginTask, post: (fact: TelegramFact) => void): void {
  const { login, session, owesRestored, hasBeenUp } = task;
  if (session?.stage !== 'complete') return;
  if (owesRestored || hasBeenUp) session.refreshProfile();
  task.hasBeenUp = true;
  if (owesRestored) post({ type: 'ConnectionRestored', login });
  task.owesRestored = false;
}

/** Aborts what the task has in progress. @returns its session, which still has its connection */
export function endTask({ stop, record, session }: LoginTask): GramSession | undefined {
  stop.abort(new NotConnectedError('the session is at something else now'));
  record?.close();
  return session;
}
