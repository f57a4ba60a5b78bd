import type { Sealed } from '../actors/ports/sealer.ts';
import type { CodeChannel } from '../actors/ports/telegram-session.ts';
import type { SealedWebhook, SessionState } from '../actors/session/events.ts';
import { externalKey } from '../actors/session/external-key.ts';
import type { Pace } from '../actors/session/session-settings.ts';

/** A webhook beside the first one. */
interface SlottedWebhook {
  /** 2 to 5. */
  slot: number;
  /** As `webhookSince`: no two webhooks that a session ever had share it. */
  since: number;
  webhook: SealedWebhook;
}

/** The account of a session, opened. */
export interface SessionAccount {
  /** Telegram's user ID. */
  id: string;
  /** Whether it was the session's first. */
  isFirst: boolean;
  /** Whether the session has had no other. */
  isOnly: boolean;
}

/** A session's own ID as it is unique; undefined if it has none, or is deleted. */
export const externalKeyOf = ({
  ended,
  externalId,
  tenant,
}: Pick<SessionView, 'ended' | 'externalId' | 'tenant'>): string | undefined =>
  ended || externalId === undefined ? undefined : externalKey(externalId, tenant);

/** If this many are in a view, there may have been more after the first. */
export const maxFormerAccounts = 8;

/**
 * One session as a reader sees it: the fold of its events. Personal texts stay sealed; the code that responds to a
 * request opens them.
 */
export interface SessionView {
  id: string;
  /** SHA-256 of the `sessionId`, hex; empty once the session is deleted. */
  secretHash: string;
  state: SessionState;
  /** Whether the state is final: the session is deleted. */
  ended: boolean;
  /** Number of the current login attempt, from 1. */
  login: number;
  /** Milliseconds since 1970, as all times here. */
  since: number;
  reason: string;
  created: number;
  /** The tenant of the key that created it (KY2); absent without one. It stays after the deletion. */
  tenant?: string;
  /** ID of the key that created it (KY3); absent without one. It stays after the deletion. */
  key?: string;
  /** When the state ends by itself. */
  deadline?: number;
  name?: Sealed;
  metadata?: Sealed;
  /** The caller's own names for the session (OS1), in the clear. */
  externalId?: string;
  label?: string;
  /** The last names that its events give it are not its own, since another session has the external ID: see `withOwnNames`. */
  hasForeignNames?: true;
  /** How fast its account may write (OS7). */
  pace?: Pace;
  webhook?: SealedWebhook;
  /** The URL of its proxy; absent if it has none. */
  proxy?: Sealed;
  /**
   * When the webhook was first set; changing URL or token keeps it. Always later than that of an earlier webhook, even
   * within the same millisecond, so that it tells them apart.
   */
  webhookSince?: number;
  /** The latest `since` of the webhooks that were turned off. */
  webhookBefore?: number;
  /** The webhooks beside the first, in the order of their slots; absent if there is none. */
  moreWebhooks?: readonly SlottedWebhook[];
  /** Only while `qrPending`, and only once a QR has been issued. */
  qrLink?: Sealed;
  /** How the last login code was sent. Only while `codeRequired`. */
  codeSentTo?: CodeChannel;
  /** Only while `passwordRequired`. */
  passwordHint?: Sealed;
  /** The last account seen; stays when the login is lost. */
  account?: Sealed;
  /** Characters of {@link SessionViews.picture}; absent before the first login. */
  pictureLength?: number;
  /** The accounts of earlier logins: the first and the last, up to {@link maxFormerAccounts}. One may be there twice. */
  formerAccounts?: Sealed[];
  /** Revision of the last event in the view. */
  revision: number;
  position: bigint;
}

/** The text in which a list looks for words: the session's own ID and its callers' names, in lower case. */
export const searchTextOf = ({ id, externalId, label }: Pick<SessionView, 'id' | 'externalId' | 'label'>): string =>
  [id, externalId, label]
    .filter((part) => part !== undefined)
    .join('\n')
    .toLowerCase();

/** The orders of lists: by creation, or by the start of the state; `-` has the newest first. */
export const listOrders = ['created', '-created', 'since', '-since'] as const;
export type ListOrder = (typeof listOrders)[number];

/** Where a view stands in a list; the list goes on after it even if the view has changed meanwhile. */
export const placeInList = ({ id, since }: Pick<SessionView, 'id' | 'since'>, sort: ListOrder): string =>
  sort === 'since' || sort === '-since' ? `${since}.${id}` : id;

/** What a list shows: all that is asked for has to be so. */
export type WantedSessions = Omit<ListOptions, 'after' | 'limit' | 'sort'>;

export interface ListOptions {
  /** Only sessions after this {@link placeInList}. */
  after?: string;
  /** Default: `created`. */
  sort?: ListOrder | undefined;
  limit: number;
  /** Default: every state that is not final. */
  state?: SessionState | 'any' | 'ended';
  /** Only sessions of this tenant. Default: all. */
  tenant?: string | undefined;
  /** Only sessions with exactly this name. Default: all. */
  externalId?: string | undefined;
  label?: string | undefined;
  /** Only sessions whose {@link searchTextOf} contains this, in lower case. Default: all. */
  q?: string | undefined;
}

/** The read side: maintained by the projection runner, read by HTTP. */
export interface SessionViews {
  get(id: string): SessionView | undefined;
  /** The picture of the last account seen: a data URI, sealed. It is much larger than the view. */
  picture(id: string): Sealed | undefined;
  /** By default in the order of IDs, which is the order of creation, and without deleted ones. */
  list(options: ListOptions): SessionView[];
  /**
   * The IDs of up to `limit` sessions that are not deleted, in their order: those after `after`. Much faster than
   * {@link list}, which reads whole views.
   */
  liveIds(after: string, limit: number): string[];
  /** The live session with a caller's own ID, by its `externalKey`. */
  byExternalKey(key: string): SessionView | undefined;
  /** How many live sessions these keys have created. */
  countOfKeys(ids: readonly string[]): number;
  /** How many sessions there are in each state that has any. @param tenant only its sessions; default: all */
  countByState(tenant?: string): Partial<Record<SessionState, number>>;
  /** Position of the last event in the views; 0 before the first. */
  readonly position: bigint;
  /** Resolves when the view has every event up to the position. @throws the signal's reason when it is aborted */
  waitFor(position: bigint, signal?: AbortSignal): Promise<void>;
  /** Calls the listener after each event of one session. @returns a function that removes it */
  onChange(id: string, listener: () => void): () => void;
}
