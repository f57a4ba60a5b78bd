import { type SessionFact, sessionIdOf } from '../actors/session/events.ts';
import type { RecordedSessionEvent } from '../actors/session/session-codec.ts';
import { factOf } from '../actors/session/transition-event.ts';
import type { SessionView } from './session-view.ts';

/** Raised whenever the fold below changes what it makes of an event: kept views are then made again from the events. */
export const sessionViewVersion = 3;

/** The view after one more event of the session's stream. The view before it is left as it is. */
export function evolveSessionView(before: SessionView | undefined, event: RecordedSessionEvent): SessionView {
  const fact = factOf(event);
  const { to, since, reason, deadlines, at } = event.metadata;
  const place = { state: to, since, reason, revision: event.revision, position: event.position };
  const id = before?.id ?? sessionIdOf(event.stream);
  const created = before?.created ?? at;
  // The person is gone; that there was a session, and how it ended, stays.
  if (to === 'deleted') return { id, secretHash: '', created, ...place };

  const view: SessionView = { ...(before ?? { id, secretHash: '', created }), ...place };
  const [first] = deadlines.map(({ dueAt }) => dueAt).toSorted((one, other) => one - other);
  replace(view, 'deadline', first);
  if (to !== 'qrPending' || beginsNewLogin(fact)) delete view.qrLink;
  if (to !== 'passwordRequired') delete view.passwordHint;
  apply(view, fact);
  markWebhook(view, at);
  return view;
}

function markWebhook(view: SessionView, at: number): void {
  if (view.webhook !== undefined) {
    view.webhookSince ??= Math.max(at, (view.webhookBefore ?? 0) + 1);
  } else if (view.webhookSince !== undefined) {
    view.webhookBefore = view.webhookSince;
    delete view.webhookSince;
  }
}

/** A QR link of an earlier login must not be shown. */
function beginsNewLogin({ type }: SessionFact): boolean {
  return type === 'SessionReset' || type === 'LoginLost';
}

/** What the fact itself brings; where the session is now stands beside the fact. */
function apply(view: SessionView, fact: SessionFact): void {
  switch (fact.type) {
    case 'SessionCreated':
      view.secretHash = fact.secretHash;
      applySettings(view, fact);
      return;
    case 'SessionReset':
      applySettings(view, fact);
      return;
    case 'QrIssued':
      view.qrLink = fact.link;
      return;
    case 'PasswordRequested':
      view.passwordHint = fact.hint;
      return;
    case 'LoggedIn':
    case 'AccountChanged':
      view.account = fact.account;
      view.picture = fact.picture;
      return;
    case 'WebhookSet':
      replace(view, 'webhook', fact.webhook ?? undefined);
      return;
    default:
  }
}

/** What is left out stays as it is. */
function applySettings(
  view: SessionView,
  settings: Pick<SessionFact & { type: 'SessionReset' }, 'name' | 'metadata' | 'webhook'>,
): void {
  if (settings.name !== undefined) view.name = settings.name;
  if (settings.metadata !== undefined) view.metadata = settings.metadata;
  if (settings.webhook !== undefined) replace(view, 'webhook', settings.webhook ?? undefined);
}

function replace<Key extends 'deadline' | 'webhook'>(view: SessionView, key: Key, value: SessionView[Key]): void {
  if (value === undefined) delete view[key];
  else view[key] = value;
}
