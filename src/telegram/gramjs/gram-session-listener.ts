import type { OnWait } from '../connection/retry-after.ts';
import type { Profile } from './profile-watch.ts';
import type { LostReason } from './updates/lost-updates.ts';

/** What a session tells of its connection and its account. */
export interface GramSessionListener {
  up(): void;
  /** Again in the same outage if the session's proxy turns out to be the reason. */
  down(reason: string): void;
  loginLost(reason: string): void;
  /** Some updates of the account are lost. */
  updatesLost(reason: LostReason): void;
  /** Telegram has frozen the account; `request` was refused for it. Called once. */
  frozen(request: string): void;
  /** The stored login has changed; saving it may wait. */
  changed(): void;
  /** Resolves when every change so far is stored. */
  stored: () => Promise<void>;
  profileChanged(profile: Profile): void;
  waitAsked: OnWait;
}
