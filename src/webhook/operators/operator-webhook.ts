import type { SessionView } from '../../../projections/session-view.ts';
import type { SessionEventType } from '../filter/session-event.ts';
import type { RecordedWebhookEvent } from './webhook-codec.ts';
import type { WebhookSettings } from './webhook-events.ts';

/** An operators' webhook, the fold of its stream. */
export interface OperatorWebhook extends WebhookSettings {
  /** UUIDv7. */
  id: string;
  tenant?: string;
  /** When it was added, milliseconds since 1970. */
  created: number;
  /** Who set it last: `owner`, or the name of a key. */
  by: string;
  /** Position of the event that added it: what happens after it is for it. */
  since: bigint;
  /** Of the last event of its stream. */
  revision: number;
  isRemoved: boolean;
}

/** What a webhook is after an event of its stream. Undefined if its beginning cannot be read. */
export function evolveWebhook(
  id: string,
  before: OperatorWebhook | undefined,
  event: RecordedWebhookEvent,
): OperatorWebhook | undefined {
  const { at, author } = event.metadata;
  const { revision, position } = event;
  if (event.type === 'WebhookAdded') {
    return { id, ...event.data, created: at, by: author, since: position, revision, isRemoved: false };
  }
  if (before === undefined) return undefined;
  if (event.type === 'WebhookRemoved') return { ...before, revision, isRemoved: true };
  const { keyId: _former, ...rest } = before;
  return { ...rest, ...event.data, by: author, revision };
}

/** Whether a webhook is told of an event of this type of a session. */
export const isTold = (
  { events, tenant }: Pick<OperatorWebhook, 'events' | 'tenant'>,
  type: SessionEventType,
  view: Pick<SessionView, 'tenant'>,
): boolean => events.includes(type) && (tenant === undefined || view.tenant === tenant);
