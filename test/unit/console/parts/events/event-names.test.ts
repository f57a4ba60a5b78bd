import { describe, expect, it } from 'vitest';
import { describeChart } from '../../../../../actors/session/describe-chart.ts';
import { eventName, factName, factTypes } from '../../../../../console/parts/events/event-names.ts';

describe('the names of events', () => {
  it('[CO7.1] every fact of the chart has a name of its own, and the creation, which makes the chart, too', () => {
    const facts = new Set(['SessionCreated', ...describeChart().transitions.map(({ fact }) => fact)]);
    expect(new Set(factTypes)).toEqual(facts);
    const names = [...facts].map(factName);
    for (const name of names) expect(name).toMatch(/^[A-Z][a-z’A-Z -]+$/);
    expect(new Set(names).size).toBe(facts.size);
    expect(names.filter((name) => facts.has(name as never))).toEqual([]);
  });

  it('[CO7.1] says more with the reason that Telegram gave', () => {
    expect(eventName({ type: 'LoginLost', data: { reason: 'SESSION_REVOKED' } })).toBe('Device removed on the phone');
    expect(eventName({ type: 'LoginLost', data: { reason: 'SOMETHING_NEW' } })).toBe('Login lost at Telegram');
    expect(eventName({ type: 'WebhookSet', data: { hasWebhook: false } })).toBe('Webhook turned off');
    expect(eventName({ type: 'WebhookSet', data: { hasWebhook: true } })).toBe('Webhook set');
  });

  it('[CO7.1] a fact of a newer gateway keeps its technical name', () => {
    expect(eventName({ type: 'TheyCameFromMars', data: {} })).toBe('TheyCameFromMars');
  });
});
