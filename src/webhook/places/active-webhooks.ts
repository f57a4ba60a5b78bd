import type { Sealed } from '../../../actors/ports/sealer.ts';
import { firstWebhook, type SealedWebhook, webhookSlots } from '../../../actors/session/events.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { placeKey } from '../stream/place-marks.ts';

/** One of a session's webhooks, as its view shows it. */
export interface ActiveWebhook {
  sessionId: string;
  /** 1 to 5; 1 is `/session/webhook`. */
  slot: number;
  /** When it was set; changing its settings keeps it. */
  since: number;
  /** Of its place in the delivery stream, and its ID for callers. */
  key: string;
  webhook: SealedWebhook;
  /** The session's account. */
  account: Sealed | undefined;
  /** The caller's own ID of the session. */
  externalId: string | undefined;
}

type View = Pick<SessionView, 'id' | 'webhook' | 'webhookSince' | 'moreWebhooks' | 'account' | 'externalId'>;

/** Those that are on, in the order of their slots. */
export function webhooksOf({
  id,
  webhook,
  webhookSince,
  moreWebhooks = [],
  account,
  externalId,
}: View): ActiveWebhook[] {
  const first =
    webhook === undefined || webhookSince === undefined ? [] : [{ slot: firstWebhook, since: webhookSince, webhook }];
  const session = { sessionId: id, account, externalId };
  return [...first, ...moreWebhooks].map((one) => ({ ...one, ...session, key: placeKey(one.since) }));
}

/** None if there is no such session. */
export const webhooksIn = (view: View | undefined): ActiveWebhook[] => (view === undefined ? [] : webhooksOf(view));

/** Undefined if it is off. */
export const webhookIn = (view: View | undefined, slot: number): ActiveWebhook | undefined =>
  webhooksIn(view).find((one) => one.slot === slot);

/** The lowest slot that is free; undefined if there is none. */
export function freeSlot(view: View): number | undefined {
  const taken = new Set(webhooksOf(view).map(({ slot }) => slot));
  return webhookSlots.find((slot) => !taken.has(slot));
}
