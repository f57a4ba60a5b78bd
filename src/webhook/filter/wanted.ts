import type { ChatKind, EventFilter, EventType } from './event-filter.ts';

/** What the webhooks and readers of a session want, all together: what none of them wants is not recorded (EV1.1). */
export interface Wanted {
  /**
   * Since when something is wanted of the session without a break, milliseconds since 1970; undefined if nothing is. A
   * later time tells another record from the one before it.
   */
  since(sessionId: string): number | undefined;
  /**
   * Whether an event of these types, and of some chat of this kind, may be wanted. It looks at no list of chats, so that
   * it can be asked for each update.
   */
  mayWant(sessionId: string, types: readonly EventType[], kind?: ChatKind): boolean;
  /** The filters themselves. @throws {UnreadableEventError} of the vault. {@link StoreUnavailableError} */
  filters(sessionId: string): Promise<readonly EventFilter[]>;
}
