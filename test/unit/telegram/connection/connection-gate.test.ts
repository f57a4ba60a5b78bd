import { describe, expect, it } from 'vitest';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

const anyTime = new AbortController().signal;

describe('the gate for new connections', () => {
  it('[SE14.1] admits 150 a second: a tenth of them at once, the others spread', async () => {
    const clock = createDrivenClock();
    const gate = new ConnectionGate(clock, 150);
    const start = clock.now();
    const times: number[] = [];
    for (let count = 0; count < 200; count += 1) void gate.enter(anyTime).then(() => times.push(clock.now() - start));
    await clock.advance(2_000);
    expect(times).toHaveLength(200);
    expect(times.filter((time) => time === 0)).toHaveLength(15);
    for (const from of times) {
      expect(times.filter((time) => time >= from && time < from + 1_000).length).toBeLessThanOrEqual(165);
    }
    expect(times.at(-1)).toBeLessThan(1_500);
  });

  it('[SE14.1] is halved at a refusal, once for those that were under way together, and grows again', async () => {
    const clock = createDrivenClock();
    const gate = new ConnectionGate(clock, 100);
    const first = await gate.enter(anyTime);
    const second = await gate.enter(anyTime);
    gate.refused(first);
    gate.refused(second);
    expect(gate.perSecond).toBe(50);
    gate.refused(await gate.enter(anyTime));
    expect(gate.perSecond).toBe(25);
    await clock.advance(3_000);
    expect(gate.perSecond).toBe(55);
    await clock.advance(60_000);
    expect(gate.perSecond).toBe(100);
  });

  it('[SE14.1] never falls below one a second', async () => {
    const clock = createDrivenClock();
    const gate = new ConnectionGate(clock, 4);
    for (let count = 0; count < 5; count += 1) {
      const entering = gate.enter(anyTime);
      await clock.advance(1_000);
      gate.refused(await entering);
    }
    expect(gate.perSecond).toBeGreaterThanOrEqual(1);
  });

  it('[SE14.1] lets go of a waiter that leaves, and admits the next one in its turn', async () => {
    const clock = createDrivenClock();
    const gate = new ConnectionGate(clock, 1);
    await gate.enter(anyTime);
    const leaving = new AbortController();
    const left = gate.enter(leaving.signal).catch((error: unknown) => error);
    const next = gate.enter(anyTime);
    await clock.advance(500);
    leaving.abort(new Error('enough'));
    expect(await left).toBe(leaving.signal.reason);
    await clock.advance(500);
    expect(await next).toBe(2);
    expect(clock.armed()).toBe(0);
  });
});
