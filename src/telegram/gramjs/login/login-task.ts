import type { UpdateRecord } from '../../port/updates.ts';
import type { LoginSteps } from '../../login/login-steps.ts';
import type { GramSession } from '../gram-session.ts';

/** What a session does at Telegram under one login number. */
export interface LoginTask {
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
export const noRecord: UpdateRecord = {
  isWanted: false,
  resume: () => Promise.resolve(undefined),
  continueFrom: () => Promise.resolve(undefined),
  known: () => Promise.resolve(undefined),
  record: () => Promise.resolve(),
  close: () => undefined,
};
