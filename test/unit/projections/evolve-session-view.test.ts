import { describe, expect, it } from 'vitest';
import type { SessionFact, SessionState } from '../../../actors/session/events.ts';
import { evolveSessionView } from '../../../projections/evolve-session-view.ts';
import type { SessionView } from '../../../projections/session-view.ts';
import { readSessionEvent } from '../../support/actors/read-session-event.ts';
import { created, recorded, sealed, sessionEvent, start } from '../../support/projections/session-events.ts';

type Step = [fact: SessionFact, to: SessionState, login?: number];

const qr: Step = [{ type: 'QrIssued', login: 1, link: sealed('link'), expires: start + 30_000 }, 'qrPending'];
const loggedIn: Step = [
  { type: 'LoggedIn', login: 1, account: sealed('account'), picture: sealed('picture') },
  'connected',
];
const askPassword: Step = [{ type: 'PasswordRequested', login: 1, hint: sealed('hint') }, 'passwordRequired'];

/** Folds a life that begins with `SessionCreated`, one second between the events. */
function viewAfter(...steps: Step[]): SessionView {
  let view: SessionView | undefined;
  let from: SessionState | null = null;
  for (const [revision, [fact, to, login = 1]] of ([[created, 'qrPending'], ...steps] satisfies Step[]).entries()) {
    const event = sessionEvent(`e${revision}`, fact, {
      from,
      to,
      at: start + revision * 1000,
      reason: fact.type,
      login,
    });
    const before: unknown = structuredClone(view);
    const next: SessionView = evolveSessionView(view, readSessionEvent(recorded('s1', revision, event)));
    expect(view).toEqual(before);
    view = next;
    from = to;
  }
  if (view === undefined) throw new Error('there is always one event');
  return view;
}

/** For `reduce`, which passes more than the fold takes. */
const evolveOne = (view: SessionView, event: Parameters<typeof evolveSessionView>[1]): SessionView =>
  evolveSessionView(view, event);

describe('the view of a session', () => {
  it('[SE1.1] begins with what the caller gave', () => {
    expect(viewAfter()).toEqual({
      id: 's1',
      secretHash: 'ab12',
      state: 'qrPending',
      ended: false,
      login: 1,
      since: start,
      reason: 'SessionCreated',
      created: start,
      name: sealed('name'),
      metadata: sealed('metadata'),
      webhook: { url: sealed('url'), token: sealed('token') },
      webhookSince: start,
      revision: 0,
      position: 1n,
    });
  });

  it('[SE7.1] takes state, since, reason and the first deadline from what the actor recorded', () => {
    const event = sessionEvent('e', loggedIn[0], {
      to: 'disconnected',
      since: start + 5,
      reason: 'gateway-restart',
      deadlines: [
        { fact: 'DisconnectedTimedOut', dueAt: start + 900 },
        { fact: 'PasswordTimedOut', dueAt: start + 800 },
      ],
    });
    const view = evolveSessionView(viewAfter(), readSessionEvent(recorded('s1', 1, event)));
    expect(view).toMatchObject({
      state: 'disconnected',
      since: start + 5,
      reason: 'gateway-restart',
      deadline: start + 800,
      revision: 1,
      position: 2n,
      created: start,
    });
    expect(viewAfter(qr)).not.toHaveProperty('deadline');
  });

  it('[SE10.2] shows the newest QR link, and only while a QR is waited for', () => {
    const rotated: Step = [{ ...qr[0], link: sealed('link 2') } as SessionFact, 'qrPending'];
    expect(viewAfter(qr, rotated).qrLink).toBe(sealed('link 2'));
    expect(viewAfter(qr, [{ type: 'WebhookSet', webhook: null }, 'qrPending']).qrLink).toBe(sealed('link'));
    expect(viewAfter(qr, loggedIn)).not.toHaveProperty('qrLink');
    expect(viewAfter(qr, askPassword)).not.toHaveProperty('qrLink');
  });

  it('[SE10.2] does not show the QR link of an earlier login', () => {
    expect(viewAfter(qr, [{ type: 'SessionReset' }, 'qrPending', 2])).not.toHaveProperty('qrLink');
    const lost: Step = [{ type: 'LoginLost', login: 1, reason: 'x' }, 'qrPending', 2];
    expect(viewAfter(qr, lost)).not.toHaveProperty('qrLink');
  });

  it('shows the hint only while a password is waited for', () => {
    const rejected: Step = [{ type: 'PasswordRejected', login: 1 }, 'passwordRequired'];
    expect(viewAfter(askPassword, rejected).passwordHint).toBe(sealed('hint'));
    expect(viewAfter(askPassword, loggedIn)).not.toHaveProperty('passwordHint');
    const laterLogin: Step = [{ type: 'WebhookSet', webhook: null }, 'passwordRequired', 2];
    expect(viewAfter(askPassword, laterLogin)).not.toHaveProperty('passwordHint');
  });

  it('[SE13.2] keeps the last account when the login is lost, and takes a changed one', () => {
    const lost = viewAfter(loggedIn, [{ type: 'LoginLost', login: 1, reason: 'SESSION_REVOKED' }, 'qrPending']);
    expect(lost).toMatchObject({ account: sealed('account'), pictureLength: 10, state: 'qrPending' });
    const change = { type: 'AccountChanged', login: 1, account: sealed('new'), picture: sealed('') } as const;
    expect(viewAfter(loggedIn, [change, 'connected'])).toMatchObject({ account: sealed('new'), pictureLength: 3 });
  });

  it('sets, replaces and removes the webhook', () => {
    const webhook = { url: sealed('url 2'), token: sealed('token 2') };
    expect(viewAfter([{ type: 'WebhookSet', webhook }, 'qrPending']).webhook).toEqual(webhook);
    expect(viewAfter([{ type: 'WebhookSet', webhook: null }, 'qrPending'])).not.toHaveProperty('webhook');
  });

  it('[WH5.1] knows since when there has been a webhook', () => {
    const webhook = { url: sealed('url 2'), token: sealed('token 2') };
    const another: Step = [{ type: 'WebhookSet', webhook }, 'qrPending'];
    const none: Step = [{ type: 'WebhookSet', webhook: null }, 'qrPending'];
    expect(viewAfter().webhookSince).toBe(start);
    expect(viewAfter(another, [{ type: 'SessionReset' }, 'qrPending']).webhookSince).toBe(start);
    expect(viewAfter(none)).not.toHaveProperty('webhookSince');
    expect(viewAfter(none, another, another).webhookSince).toBe(start + 2000);
  });

  it('[WH4.6] tells webhooks apart that were set within one millisecond, whatever came between', () => {
    const webhook = { url: sealed('url 2'), token: sealed('token 2') };
    const at = (revision: number, fact: SessionFact): Parameters<typeof evolveSessionView>[1] =>
      readSessionEvent(recorded('s1', revision, sessionEvent(`e${revision}`, fact, { to: 'qrPending', at: start })));
    const off = at(1, { type: 'WebhookSet', webhook: null });
    const between = at(2, { type: 'SessionReset' });
    const on = at(3, { type: 'WebhookSet', webhook });
    const view = [off, between, on].reduce<SessionView>(evolveOne, viewAfter());
    expect(view.webhookSince).toBe(start + 1);
  });

  it('[ME1.5] keeps the first and the last of the accounts before', () => {
    const login = (number: number): Step => [
      { type: 'LoggedIn', login: number, account: sealed(`account ${number}`), picture: sealed('') },
      'connected',
      number,
    ];
    expect(viewAfter(login(1))).not.toHaveProperty('formerAccounts');
    expect(viewAfter(login(1), login(2)).formerAccounts).toEqual([sealed('account 1')]);
    const many = viewAfter(...Array.from({ length: 12 }, (_, index) => login(index + 1)));
    const former = [1, 5, 6, 7, 8, 9, 10, 11].map((number) => sealed(`account ${number}`));
    expect(many).toMatchObject({ account: sealed('account 12'), formerAccounts: former });
  });

  it('[FA7.1] begins with a later event, if the first cannot be read: no secret fits it', () => {
    const event = sessionEvent('e', askPassword[0], { to: 'passwordRequired', at: start + 7 });
    const view = evolveSessionView(undefined, readSessionEvent(recorded('s1', 1, event)));
    expect(view).toMatchObject({ id: 's1', secretHash: '', created: start + 7, revision: 1 });
    expect(view.passwordHint).toBe(sealed('hint'));
  });

  it('[SE2.2] keeps at a reset what is not given anew', () => {
    expect(viewAfter([{ type: 'SessionReset', name: sealed('name 2') }, 'qrPending'])).toMatchObject({
      name: sealed('name 2'),
      metadata: sealed('metadata'),
      webhook: { url: sealed('url'), token: sealed('token') },
      secretHash: 'ab12',
    });
    const reset = viewAfter([{ type: 'SessionReset', metadata: sealed('m 2'), webhook: null }, 'qrPending']);
    expect(reset).toMatchObject({ name: sealed('name'), metadata: sealed('m 2') });
    expect(reset).not.toHaveProperty('webhook');
  });

  it.each(['SessionDeleted', 'QrTimedOut', 'PasswordTimedOut', 'DisconnectedTimedOut'] as const)(
    '[SE11.2] keeps of a session that ended by %s when and why, and nothing of the person',
    (type) => {
      expect(viewAfter(qr, loggedIn, [{ type }, 'deleted'])).toEqual({
        id: 's1',
        secretHash: '',
        state: 'deleted',
        ended: true,
        login: 1,
        since: start + 3000,
        reason: type,
        created: start,
        revision: 3,
        position: 4n,
      });
    },
  );

  it('[OS1.1] has the callers’ own names: what is left out stays, what is empty is taken away', () => {
    const named: Step = [{ type: 'SessionRenamed', externalId: 'customer-1', label: 'Desk' }, 'qrPending'];
    expect(viewAfter(named)).toMatchObject({ externalId: 'customer-1', label: 'Desk' });
    const relabelled = viewAfter(named, [{ type: 'SessionRenamed', label: 'Shop' }, 'qrPending']);
    expect(relabelled).toMatchObject({ externalId: 'customer-1', label: 'Shop' });
    const nameless = viewAfter(named, [{ type: 'SessionRenamed', externalId: '', label: '' }, 'qrPending']);
    expect(nameless).not.toHaveProperty('externalId');
    expect(nameless).not.toHaveProperty('label');
  });

  it('[OS1.5] a deleted session keeps its names', () => {
    const named: Step = [{ type: 'SessionRenamed', externalId: 'customer-1', label: 'Desk' }, 'qrPending'];
    const deleted = viewAfter(named, [{ type: 'SessionDeleted' }, 'deleted']);
    expect(deleted).toMatchObject({ externalId: 'customer-1', label: 'Desk', ended: true });
    expect(viewAfter([{ type: 'SessionDeleted' }, 'deleted'])).not.toHaveProperty('label');
  });
});
