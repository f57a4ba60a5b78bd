import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { transition } from 'xstate';
import type { Sealed } from '../../../../actors/ports/sealer.ts';
import { type SessionFact, type SessionState, sessionStates } from '../../../../actors/session/events.ts';
import { recordingActions, sessionLifecycle } from '../../../../actors/session/lifecycle.ts';
import { sessionMachine } from '../../../../actors/session/machine.ts';
import { legalTransitions, timeLimits } from '../../../support/actors/legal-transitions.ts';

const { initialStep, nextStep, chartEventOf, timedFactOf } = sessionLifecycle;
const sealed = 'sealed' as Sealed;

/** One fact of every type, about a login attempt. */
const factsOf = (login: number): SessionFact[] => [
  { type: 'SessionCreated', secretHash: '00' },
  { type: 'QrIssued', login, link: sealed, expires: 1 },
  { type: 'CodeSent', login, to: 'sms', number: 1, phone: sealed },
  { type: 'CodeRejected', login },
  { type: 'CodesUsedUp', login },
  { type: 'BotLoginLost', login, reason: 'SESSION_REVOKED' },
  { type: 'PasswordRequested', login, hint: sealed },
  { type: 'PasswordRejected', login },
  { type: 'LoggedIn', login, account: sealed, picture: sealed },
  { type: 'AccountChanged', login, account: sealed, picture: sealed },
  { type: 'ConnectionLost', login, reason: 'unreachable' },
  { type: 'ConnectionRestored', login },
  { type: 'LoginLost', login, reason: 'SESSION_REVOKED' },
  { type: 'LoginImported', login, format: 'telethon', account: sealed, picture: sealed },
  { type: 'LoginExported', login, format: 'telethon' },
  { type: 'LoginRefused', login, reason: 'API_ID_INVALID' },
  { type: 'UpdatesLost', login, reason: 'too-many' },
  { type: 'AccountFrozen', login, reason: 'FROZEN_METHOD_INVALID' },
  { type: 'MethodCalled', method: 'messages.saveDraft', by: 'owner' },
  { type: 'GatewayRestarted' },
  { type: 'OwnerChanged', epoch: 2 },
  { type: 'WebhookSet', webhook: null },
  { type: 'SecretRotated', secretHash: 'b'.repeat(64) },
  { type: 'SessionRenamed', externalId: 'customer-1', label: '' },
  { type: 'PaceSet', pace: { perMinute: 20 } },
  { type: 'ProxySet', url: sealed },
  { type: 'ProxyFailed', login, reason: 'proxy-refused' },
  { type: 'SessionReset' },
  { type: 'SessionDeleted' },
  { type: 'LoggedOut' },
  { type: 'LogOutGivenUp' },
  { type: 'QrTimedOut' },
  { type: 'CodeTimedOut' },
  { type: 'PasswordTimedOut' },
  { type: 'DisconnectedTimedOut' },
];
const factTypes = factsOf(1).map(({ type }) => type);

const armedIn = (state: SessionState): { fact: string; delayMs: number }[] => {
  const limit = timeLimits[state];
  return limit === undefined ? [] : [{ fact: limit.fact, delayMs: limit.ms }];
};

/** What is to be done on coming into a state, beside `logOut` on a reset, `keepLogin` on an import and `dropLogin` on an export. */
const entryEffects: Record<SessionState, string[]> = {
  qrPending: ['startQrLogin'],
  codeRequired: ['awaitCode'],
  passwordRequired: ['awaitPassword'],
  connected: [],
  disconnected: ['connect'],
  deleted: ['logOut', 'erase'],
};

describe('the chart', () => {
  it('[SE1.2] begins waiting for a scan of login 1, for 3 minutes', () => {
    expect(initialStep()).toEqual({
      to: 'qrPending',
      context: { login: 1 },
      entered: true,
      explains: false,
      armed: [{ fact: 'QrTimedOut', delayMs: 180_000 }],
      cancelled: [],
      effects: [{ type: 'startQrLogin', login: 1 }],
    });
  });

  const cases = sessionStates.flatMap((from) => factsOf(3).map((fact) => ({ from, fact, type: fact.type })));

  it.each(cases)('$from, $type', ({ from, fact, type }) => {
    const to = legalTransitions[from][type];
    const step = nextStep(from, { login: 3 }, fact);
    if (to === undefined) {
      expect(step).toBeUndefined();
    } else if (to === '=') {
      expect(step).toEqual({
        to: from,
        context: { login: 3 },
        entered: false,
        explains: type === 'ProxyFailed',
        armed: [],
        cancelled: [],
        effects: [],
      });
    } else {
      const login = to === 'qrPending' ? 4 : 3;
      expect(step).toEqual({
        to,
        context: { login },
        entered: true,
        explains: false,
        armed: armedIn(to),
        cancelled: armedIn(from).map((deadline) => deadline.fact),
        effects: [
          ...(type === 'SessionReset' ? [{ type: 'logOut', login: 3 }] : []),
          ...(type === 'LoginImported' ? [{ type: 'keepLogin', login: 3 }] : []),
          ...(type === 'LoginExported' ? [{ type: 'dropLogin', login: 3 }] : []),
          ...entryEffects[to].map((effect) => ({ type: effect, login })),
        ],
      });
    }
  });

  it.each(cases.filter(({ fact }) => 'login' in fact))('$from, $type of another login attempt', ({ from, type }) => {
    for (const login of [2, 4]) {
      const fact = factsOf(login).find((other) => other.type === type);
      expect(fact && nextStep(from, { login: 3 }, fact)).toBeUndefined();
    }
  });

  it('says what XState itself says', () => {
    for (const from of sessionStates.filter((state) => state !== 'deleted')) {
      for (const fact of [...factsOf(3), ...factsOf(2)]) {
        const chartEvent = chartEventOf(fact.type, from);
        const event = chartEvent === undefined ? fact : { type: chartEvent };
        const snapshot = sessionMachine.resolveState({ value: from, context: { login: 3 } });
        const [next, actions] = transition(sessionMachine, snapshot, event as SessionFact);
        const step = nextStep(from, { login: 3 }, fact);
        expect(step === undefined).toBe(actions.length === 0);
        expect([step?.to ?? from, step?.context ?? { login: 3 }]).toEqual([next.value, next.context]);
        const effects = actions
          .map(({ type }) => type)
          .filter((type) => !type.startsWith('xstate.') && !recordingActions.has(type));
        expect(step?.effects.map(({ type }) => type) ?? []).toEqual(effects);
      }
    }
  });

  it('[SE7.1] names the fact of every timed transition', () => {
    const delayed = sessionMachine.events.filter((type) => type.startsWith('xstate.after.'));
    const facts = new Set(delayed.map((event) => timedFactOf(event)));
    expect(facts).toEqual(new Set(['QrTimedOut', 'CodeTimedOut', 'PasswordTimedOut', 'DisconnectedTimedOut']));
    expect(() => timedFactOf('xstate.after.NONE.session.connected')).toThrow('no delayed event');
  });

  it('[SE12.1] records every transition that stays where it is, and no other', () => {
    const nodes = [sessionMachine.root, ...Object.values(sessionMachine.states)];
    const all = nodes.flatMap((node) => [...node.transitions.values()].flat());
    expect(all.length).toBeGreaterThan(15);
    for (const { target, actions } of all) expect(actions.includes('record')).toBe(target === undefined);
  });

  it('reacts to no fact that is not one of a session', () => {
    const named: string[] = sessionMachine.events.filter((type) => !type.startsWith('xstate.'));
    expect(named.filter((type) => !factTypes.some((known) => known === type))).toEqual([]);
  });

  it('stays within its table on any sequence of facts', () => {
    const fact = fc.record({ index: fc.nat(factTypes.length - 1), behind: fc.nat(2) });
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), (sequence) => {
        let { to: state, context } = initialStep();
        for (const { index, behind } of sequence) {
          const login = context.login - behind;
          const next = factsOf(login)[index] as SessionFact;
          const step = nextStep(state, context, next);
          const edge = 'login' in next && behind > 0 ? undefined : legalTransitions[state][next.type];
          expect(step?.to).toBe(edge === '=' ? state : edge);
          if (step === undefined) continue;
          expect(step.context.login).toBe(context.login + (step.to === 'qrPending' && edge !== '=' ? 1 : 0));
          ({ to: state, context } = step);
        }
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});
