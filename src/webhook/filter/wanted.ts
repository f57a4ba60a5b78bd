import type { ChatKind, EventFilter, EventType } from './event-filter.ts';

/** A receiver of a session's recorded events: a webhook, or a reader. */
export interface Place {
  /** No other place of the session ever has it. */
  key: string;
  /** When it was set, milliseconds since 1970: what happened before is not for it. */
  since: number;
  filter: EventFilter;
}

/** What the webhooks and readers of a session want, all together: what none of them wants is not recorded (EV1.1). */
export interface Wanted {
  /** When the earliest of its places was set, milliseconds since 1970; undefined if there is none. */
  since(sessionId: string): number | undefined;
  /**
   * Whether an event of these types, and of some chat of this kind, may be wanted. It looks at no list of chats, so that
   * it can be asked for each update.
   */
  mayWant(sessionId: string, types: readonly EventType[], kind?: ChatKind): boolean;
  /** Its places now. @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError} */
  places(sessionId: string): Promise<readonly Place[]>;
}
