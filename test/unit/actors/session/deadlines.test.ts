import { describe, expect, it } from 'vitest';
import { DeadlineTimer } from '../../../../actors/runtime/deadline-timer.ts';
import { nextDeadline } from '../../../../actors/session/deadlines.ts';
import type { Deadline } from '../../../../actors/session/events.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

describe('the deadlines of a session', () => {
  it('[SE7.1] have a first one, whatever their order', () => {
    const [qr, password, lost]: Deadline[] = [
      { fact: 'QrTimedOut', dueAt: 20 },
      { fact: 'PasswordTimedOut', dueAt: 10 },
      { fact: 'DisconnectedTimedOut', dueAt: 30 },
    ];
    if (qr === undefined || password === undefined || lost === undefined) throw new Error('there are three');
    for (const deadlines of [
      [qr, password, lost],
      [lost, qr, password],
      [password, lost],
    ]) {
      expect(nextDeadline(deadlines)).toEqual(password);
    }
    expect(nextDeadline([qr, { ...lost, dueAt: 20 }])).toEqual(qr);
    expect(nextDeadline([])).toBeUndefined();
  });

  it('[SE7.1] have one timer, for the first of them as they are now', async () => {
    const clock = createDrivenClock();
    const due: string[] = [];
    const timer = new DeadlineTimer(clock, ({ fact }) => due.push(fact));
    const at = (ms: number): number => clock.now() + ms;
    timer.arm([{ fact: 'QrTimedOut', dueAt: at(1000) }]);
    timer.arm([{ fact: 'PasswordTimedOut', dueAt: at(1000) }]);
    expect(clock.armed()).toBe(1);
    await clock.advance(1000);
    expect(due).toEqual(['PasswordTimedOut']);
    timer.arm([{ fact: 'PasswordTimedOut', dueAt: at(1000) }]);
    timer.arm([{ fact: 'PasswordTimedOut', dueAt: at(500) }]);
    await clock.advance(500);
    expect([due, clock.armed()]).toEqual([['PasswordTimedOut', 'PasswordTimedOut'], 0]);
    timer.arm([{ fact: 'QrTimedOut', dueAt: at(1000) }]);
    timer.arm([]);
    expect(clock.armed()).toBe(0);
  });
});
