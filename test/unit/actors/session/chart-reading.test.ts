import { describe, expect, it } from 'vitest';
import { describeChart } from '../../../../actors/session/describe-chart.ts';
import { sessionLifecycle } from '../../../../actors/session/lifecycle.ts';
import { sessionCodec } from '../../../../actors/session/session-codec.ts';
import { statelyEventType } from '../../../../actors/session/stately-protocol.ts';
import { created, recorded, sessionEvent } from '../../../support/projections/session-events.ts';

describe('what is read off the chart', () => {
  it('[SE12.1] has every effect, also those that only a transition names', () => {
    expect([...sessionLifecycle.effectTypes].toSorted()).toEqual([
      'awaitCode',
      'awaitPassword',
      'connect',
      'dropLogin',
      'erase',
      'keepLogin',
      'logOut',
      'startQrLogin',
    ]);
  });

  it('[CO4.1] has every transition, with its guard, its delay and its actions', () => {
    const { transitions } = describeChart();
    const find = (from: string, fact: string) =>
      transitions.filter((transition) => transition.from === from && transition.fact === fact);
    expect(find('qrPending', 'QrTimedOut')).toMatchObject([{ to: 'deleted', afterMs: 180_000 }]);
    expect(find('any', 'SessionDeleted')).toHaveLength(1);
    expect(find('any', 'WebhookSet')).toMatchObject([{ to: 'same' }]);
    const [loggedIn] = find('qrPending', 'LoggedIn');
    expect(loggedIn).toMatchObject({ to: 'connected' });
    expect(loggedIn?.guard).toEqual(expect.stringMatching(/\w/));
    expect(find('any', 'SessionDeleted')[0]).not.toHaveProperty('guard');
    expect(find('qrPending', 'LoggedIn')[0]).not.toHaveProperty('afterMs');
  });

  it('[IN5.1] has the names that an XState actor gives its events', () => {
    expect(statelyEventType('SessionCreated')).toBe('xstate.init');
    expect(statelyEventType('LoggedIn')).toBe('LoggedIn');
    expect(statelyEventType('QrTimedOut')).toBe('xstate.after.180000.session.qrPending');
  });
});

it('[FA7.1] an event whose effects have another shape is not read', () => {
  const event = recorded('s1', 0, sessionEvent('e0', created, { to: 'qrPending' }));
  const decode = (effects: unknown): unknown =>
    sessionCodec.decode({ ...event, metadata: { ...(event.metadata as object), effects } as never });
  expect(decode([{ type: 'connect', login: 1 }])).toMatchObject({ type: 'SessionCreated' });
  for (const effects of [[{ type: 'dance', login: 1 }], [{ type: 'connect' }], [{ login: 1 }], ['connect']]) {
    expect(decode(effects)).toMatchObject({ reason: 'wrong-shape' });
  }
});
