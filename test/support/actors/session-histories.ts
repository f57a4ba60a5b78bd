import type { Clock, Randomness } from '../../../actors/ports/clock.ts';
import type { EventStore } from '../../../actors/ports/event-store.ts';
import type { Sealed } from '../../../actors/ports/sealer.ts';
import { type SessionFact, sessionStream, type TransitionMetadata } from '../../../actors/session/events.ts';
import { type Step, sessionLifecycle } from '../../../actors/session/lifecycle.ts';
import { type SessionEvent, sessionEvent, transitionMetadata } from '../../../actors/session/transition-event.ts';
import { legalTransitions } from './legal-transitions.ts';

const sealed = (size: number): Sealed => `v1.context.${'x'.repeat(size)}` as Sealed;

/** One session's events as its actor would have recorded them: a walk through the chart that chance leads. */
export function createHistory(randomness: Randomness, startAt: number): { next: () => SessionEvent | undefined } {
  let last: TransitionMetadata | undefined;
  let at = startAt;
  const record = (fact: SessionFact, step: Step): SessionEvent => {
    last = transitionMetadata(last, fact, step, { at, by: 'test' });
    return sessionEvent(randomness.uuid(), fact, last);
  };
  return {
    next() {
      if (last === undefined)
        return record({ type: 'SessionCreated', secretHash: 'a'.repeat(64) }, sessionLifecycle.initialStep());
      const { to, context } = last;
      if (sessionLifecycle.isFinal(to)) return undefined;
      // A session that ends at its first chance would leave little to look at.
      const possible = Object.keys(legalTransitions[to]).filter(
        (type) => type !== 'SessionDeleted' || randomness.fraction() < 0.02,
      );
      const lively = possible.filter((type) => !type.endsWith('TimedOut') || randomness.fraction() < 0.02);
      const type = lively[Math.floor(randomness.fraction() * lively.length)];
      if (type === undefined) return undefined;
      at = type.endsWith('TimedOut') ? (last.deadlines[0]?.dueAt ?? at) : at + Math.floor(randomness.fraction() * 9000);
      const fact = factOfType(type, context.login, at);
      const step = sessionLifecycle.nextStep(to, context, fact);
      return step && record(fact, step);
    },
  };
}

function factOfType(type: string, login: number, at: number): SessionFact {
  const texts = { account: sealed(200), picture: sealed(1500) };
  const details: Record<string, object> = {
    QrIssued: { login, link: sealed(120), expires: at + 30_000 },
    CodeSent: { login, to: 'sms', number: 1, phone: sealed(40) },
    PasswordRequested: { login, hint: sealed(60) },
    LoggedIn: { login, ...texts },
    LoginImported: { login, format: 'telethon', ...texts },
    AccountChanged: { login, ...texts },
    ConnectionLost: { login, reason: 'no answer' },
    LoginLost: { login, reason: 'SESSION_REVOKED' },
    BotLoginLost: { login, reason: 'ACCESS_TOKEN_EXPIRED' },
    LoginExported: { login, format: 'gramjs' },
    LoginRefused: { login, reason: 'API_ID_INVALID' },
    UpdatesLost: { login, reason: 'too-many' },
    AccountFrozen: { login, reason: 'FROZEN_METHOD_INVALID' },
    MethodCalled: { method: 'messages.saveDraft', by: 'owner' },
    OwnerChanged: { epoch: 3 },
    WebhookSet: { webhook: null },
    SecretRotated: { secretHash: 'b'.repeat(64) },
    SessionRenamed: { externalId: 'customer-1' },
    PaceSet: { pace: { perMinute: 20, newChatsPerDay: 5 } },
    ProxySet: { url: sealed(90) },
    ProxyFailed: { login, reason: 'proxy-refused' },
  };
  return { type, ...(details[type] ?? (type.startsWith('Session') ? {} : { login })) } as SessionFact;
}

export interface FilledStore {
  streams: string[];
  events: number;
}

/**
 * Fills a store with sessions whose events lie in between one another, each with a vault of which the newest event is
 * left, as in a gateway that has been running for a while.
 */
export async function fillWithSessions(
  store: EventStore,
  { sessions, events, randomness, clock }: { sessions: number; events: number; randomness: Randomness; clock: Clock },
): Promise<FilledStore> {
  const streams: string[] = [];
  const open = Array.from({ length: sessions }, () => {
    const id = randomness.uuid();
    streams.push(sessionStream(id), `vault-${id}`);
    return { id, history: createHistory(randomness, clock.now()) };
  });
  let written = 0;
  let pending: Promise<unknown>[] = [];
  for (const { id } of open) {
    const vault = `vault-${id}`;
    const saves = 1 + Math.floor(randomness.fraction() * 3);
    const data = { key: sealed(80), login: sealed(300) };
    for (let save = 0; save < saves; save += 1) {
      pending.push(store.append(vault, 'any', [{ id: randomness.uuid(), type: 'LoginSaved', data, metadata: {} }]));
    }
    pending.push(store.truncate(vault, saves - 1));
    written += 1;
  }
  while (written < events && open.length > 0) {
    const place = Math.floor(randomness.fraction() * open.length);
    const event = open[place]?.history.next();
    if (event === undefined) {
      open.splice(place, 1);
      continue;
    }
    pending.push(store.append(sessionStream(open[place]?.id ?? ''), 'any', [event]));
    written += 1;
    if (pending.length < 1000) continue;
    await Promise.all(pending);
    pending = [];
  }
  await Promise.all(pending);
  return { streams, events: written };
}
