import type { Socket } from 'node:net';
import type { LightAbortSignal } from '../../../actors/kit/light-abort.ts';
import type { Ownership } from '../../../actors/ports/ownership.ts';
import type { ReadProxy, ReportTelegramFact } from '../../../actors/ports/telegram-session.ts';
import type { AskedWait } from '../connection/retry-after.ts';
import type { KeysInUse } from '../login/keys-in-use.ts';
import type { LoginRefusals } from '../login/login-refusals.ts';
import type { LoginStore } from '../login/login-store.ts';
import type { UpdateRecording } from '../port/updates.ts';
import type { GramSessionDeps } from './connection/session-deps.ts';

export interface SessionDriverDeps extends Omit<GramSessionDeps, 'mayWrite'> {
  /** Default: the process is alone. */
  ownership?: Pick<Ownership, 'owns'> | undefined;
  loginStore: LoginStore;
  /** Connects to a proxy, guarded as SR1 wants it. Default: no proxy can be reached. */
  dialProxy?: (host: string, port: number, options: { sessionId: string; signal: LightAbortSignal }) => Promise<Socket>;
  /** The keys of all sessions. */
  keysInUse: KeysInUse;
  /** Gets Telegram's answers to requests for QR codes. */
  loginRefusals?: LoginRefusals;
  /** The recorder of updates. Default: none. */
  recording?: UpdateRecording;
  /** Called for every wait that Telegram asks for; it is logged already. */
  onWait?: (sessionId: string, wait: AskedWait) => void;
}

/** What a driver reports to, and reads from. */
export interface SessionDriverHost {
  report: ReportTelegramFact;
  /** Default: the session has no proxy. */
  readProxy?: ReadProxy | undefined;
  /** Called when closing begins. */
  onClose: () => void;
}
