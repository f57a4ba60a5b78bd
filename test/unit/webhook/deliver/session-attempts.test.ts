import { describe, expect, it } from 'vitest';
import { AttemptsOfSessions, SessionAttempts } from '../../../../src/webhook/deliver/session-attempts.ts';

const nobody = (): void => {};

/** Begins as many attempts as it may, up to this many. */
function begin(attempts: SessionAttempts, webhook: object, wanted = 20, isRetry = false): number {
  for (let count = 0; count < wanted; count += 1) {
    if ((isRetry && !attempts.mayRetry(webhook)) || !attempts.mayBegin(webhook, nobody)) return count;
    attempts.begin(webhook, isRetry);
  }
  return wanted;
}
const [one, two, three] = [{ slot: 1 }, { slot: 2 }, { slot: 3 }];

describe('the attempts of a session', () => {
  it('[EV2.5] are eight at a time, of one webhook', () => {
    const attempts = new SessionAttempts(() => 1);
    expect(begin(attempts, one)).toBe(8);
    attempts.end(one, false);
    expect(begin(attempts, one)).toBe(1);
  });

  it('[EV2.5] are eight of all its webhooks: one stays free for each, and those with work share the others', () => {
    const attempts = new SessionAttempts(() => 3);
    const held = new Map<object, number>();
    const pump = (webhook: object): void => {
      while (attempts.mayBegin(webhook, () => pump(webhook))) {
        attempts.begin(webhook, false);
        held.set(webhook, (held.get(webhook) ?? 0) + 1);
      }
    };
    const counts = () => [one, two, three].map((webhook) => held.get(webhook));
    for (const webhook of [one, two, three]) pump(webhook);
    expect(counts()).toEqual([6, 1, 1]);
    for (let count = 0; count < 4; count += 1) {
      held.set(one, (held.get(one) ?? 0) - 1);
      attempts.end(one, false);
      pump(one);
    }
    expect(counts()).toEqual([2, 3, 3]);
  });

  it('[EV2.5] of a new webhook wait until one of the eight has ended', () => {
    let webhooks = 1;
    const attempts = new SessionAttempts(() => webhooks);
    expect(begin(attempts, one)).toBe(8);
    webhooks = 2;
    const calls: string[] = [];
    expect(attempts.mayBegin(two, () => calls.push('two'))).toBe(false);
    attempts.end(one, false);
    expect(calls).toEqual(['two']);
    expect(attempts.mayBegin(one, nobody)).toBe(false);
    expect(begin(attempts, two, 1)).toBe(1);
  });

  it('[EV2.5] [WH4.7] are six of deliveries that have failed before, but each webhook has one', () => {
    const attempts = new SessionAttempts(() => 2);
    expect(begin(attempts, one, 20, true)).toBe(6);
    expect(attempts.mayRetry(two)).toBe(true);
    expect(begin(attempts, one)).toBe(1);
    expect(begin(attempts, two, 1, true)).toBe(1);
    attempts.end(one, true);
    expect(attempts.mayRetry(one)).toBe(false);
    attempts.end(one, true);
    expect(attempts.mayRetry(one)).toBe(true);
  });

  it('[EV2.5] call those that wait once, and not after they are forgotten', () => {
    const attempts = new SessionAttempts(() => 3);
    begin(attempts, one, 8);
    const calls: string[] = [];
    for (const [webhook, name] of [
      [two, 'two'],
      [three, 'three'],
    ] as const)
      attempts.wait(webhook, () => calls.push(name));
    attempts.forget(two);
    attempts.end(one, false);
    attempts.end(one, false);
    expect(calls).toEqual(['three']);
  });

  it('[EV2.5] are those of all outboxes of the session that are there', () => {
    const sessions = new AttemptsOfSessions(() => 5);
    const first = sessions.enter('a');
    expect([sessions.enter('a') === first, sessions.enter('b') === first]).toEqual([true, false]);
    sessions.leave('a');
    expect(sessions.enter('a')).toBe(first);
    sessions.leave('a');
    sessions.leave('a');
    expect(sessions.enter('a')).not.toBe(first);
  });
});
