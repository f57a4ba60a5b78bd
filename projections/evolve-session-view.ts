import type { Sealed } from '../actors/ports/sealer.ts';
import { type SealedWebhook, type SessionFact, sessionIdOf } from '../actors/session/events.ts';
import { sessionLifecycle } from '../actors/session/lifecycle.ts';
import type { RecordedSessionEvent } from '../actors/session/session-codec.ts';
import type { SessionNames } from '../actors/session/session-settings.ts';
import { factOf } from '../actors/session/transition-event.ts';
import { maxFormerAccounts, type SessionView } from './session-view.ts';

/** Raised whenever the fold changes its result for an event, and with each side view. Stored views are then rebuilt from the events. */
export const sessionViewVersion = 16;

/** The view after one more event of the session's stream. Does not change the view before it. */
export function evolveSessionView(
  before: SessionView | undefined,
  event: RecordedSessionEvent,
  lifecycle = sessionLifecycle,
): SessionView {
  const fact = factOf(event);
  const { to, since, reason, deadlines, at, context } = event.metadata;
  const { login } = context;
  const ended = lifecycle.isFinal(to);
  const place = { state: to, ended, login, since, reason, revision: event.revision, position: event.position };
  const id = before?.id ?? sessionIdOf(event.stream);
  const created = before?.created ?? at;
  // Personal data is gone. That there was a session, whose it was, what its callers named it, and how it ended, stays.
  const { tenant, key } = before ?? {};
  if (ended) {
    const owners = { ...(tenant !== undefined && { tenant }), ...(key !== undefined && { key }) };
    return { id, secretHash: '', created, ...owners, ...namesOf(before), ...place };
  }

  const view: SessionView = { ...(before ?? { id, secretHash: '', created }), ...place };
  const [first] = deadlines.map(({ dueAt }) => dueAt).toSorted((one, other) => one - other);
  replace(view, 'deadline', first);
  // A QR code or a hint of an earlier login must not be shown.
  if (to !== 'qrPending' || before?.login !== login) delete view.qrLink;
  if (to !== 'codeRequired') delete view.codeSentTo;
  if (to !== 'passwordRequired' || before?.login !== login) delete view.passwordHint;
  apply(view, fact, at);
  markWebhook(view, at);
  return view;
}

/**
 * The picture after an event, which is stored beside the view.
 * @returns undefined if the event does not change it; an empty object if there is none any more
 */
export function pictureChange(
  event: RecordedSessionEvent,
  lifecycle = sessionLifecycle,
): { picture?: Sealed } | undefined {
  if (lifecycle.isFinal(event.metadata.to)) return {};
  const fact = factOf(event);
  return 'picture' in fact ? { picture: fact.picture } : undefined;
}

function markWebhook(view: SessionView, at: number): void {
  if (view.webhook !== undefined) {
    view.webhookSince ??= sinceOfNext(view, at);
  } else if (view.webhookSince !== undefined) {
    leave(view, view.webhookSince);
    delete view.webhookSince;
  }
}

/** @param slot 2 to 5 */
function setSlot(view: SessionView, slot: number, webhook: SealedWebhook | null, at: number): void {
  const { moreWebhooks = [], ...rest } = view;
  const before = moreWebhooks.find((one) => one.slot === slot);
  const others = moreWebhooks.filter((one) => one !== before);
  if (webhook !== null) {
    others.push({ slot, since: before?.since ?? sinceOfNext({ ...rest, moreWebhooks }, at), webhook });
  } else if (before !== undefined) {
    leave(view, before.since);
  }
  if (others.length === 0) delete view.moreWebhooks;
  else view.moreWebhooks = others.toSorted((one, other) => one.slot - other.slot);
}

/** Tells a new webhook from all that the session has had. */
function sinceOfNext({ webhookSince = 0, webhookBefore = 0, moreWebhooks = [] }: SessionView, at: number): number {
  return Math.max(at, 1 + Math.max(webhookSince, webhookBefore, ...moreWebhooks.map(({ since }) => since)));
}

function leave(view: SessionView, since: number): void {
  view.webhookBefore = Math.max(view.webhookBefore ?? 0, since);
}

/** Applies what the fact itself carries; the state is in the event's metadata. */
function apply(view: SessionView, fact: SessionFact, at: number): void {
  switch (fact.type) {
    case 'SessionCreated':
      view.secretHash = fact.secretHash;
      if (fact.tenant !== undefined) view.tenant = fact.tenant;
      if (fact.key !== undefined) view.key = fact.key;
      applySettings(view, fact);
      applyNames(view, fact);
      return;
    case 'PaceSet':
      replace(view, 'pace', fact.pace ?? undefined);
      return;
    case 'SessionRenamed':
      applyNames(view, fact);
      delete view.hasForeignNames;
      return;
    case 'SecretRotated':
      view.secretHash = fact.secretHash;
      return;
    case 'SessionReset':
      applySettings(view, fact);
      return;
    case 'QrIssued':
      view.qrLink = fact.link;
      return;
    case 'CodeSent':
      view.codeSentTo = fact.to;
      return;
    case 'PasswordRequested':
      view.passwordHint = fact.hint;
      return;
    case 'LoggedIn':
    case 'LoginImported':
      if (view.account !== undefined) {
        const former = [...(view.formerAccounts ?? []), view.account];
        view.formerAccounts = [...former.slice(0, 1), ...former.slice(1).slice(1 - maxFormerAccounts)];
      }
      view.account = fact.account;
      view.pictureLength = fact.picture.length;
      return;
    case 'AccountChanged':
      view.account = fact.account;
      view.pictureLength = fact.picture.length;
      return;
    case 'WebhookSet':
      if (fact.slot !== undefined) setSlot(view, fact.slot, fact.webhook, at);
      else replace(view, 'webhook', fact.webhook ?? undefined);
      return;
    case 'ProxySet':
      replace(view, 'proxy', fact.url ?? undefined);
      return;
    default:
  }
}

const namesOf = ({ externalId, label }: SessionNames = {}): SessionNames => ({
  ...(externalId !== undefined && { externalId }),
  ...(label !== undefined && { label }),
});

/** Names that are left out stay as they are, empty ones are taken away. */
function applyNames(view: SessionView, { externalId, label }: SessionNames): void {
  if (externalId !== undefined) replace(view, 'externalId', externalId || undefined);
  if (label !== undefined) replace(view, 'label', label || undefined);
}

/** Settings that are left out stay as they are. */
function applySettings(
  view: SessionView,
  settings: Pick<SessionFact & { type: 'SessionReset' }, 'name' | 'metadata' | 'webhook'>,
): void {
  if (settings.name !== undefined) view.name = settings.name;
  if (settings.metadata !== undefined) view.metadata = settings.metadata;
  if (settings.webhook !== undefined) replace(view, 'webhook', settings.webhook ?? undefined);
}

function replace<Key extends 'deadline' | 'webhook' | 'proxy' | 'externalId' | 'label' | 'pace'>(
  view: SessionView,
  key: Key,
  value: SessionView[Key],
): void {
  if (value === undefined) delete view[key];
  else view[key] = value;
}
