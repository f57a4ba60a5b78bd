import { beforeEach, describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../../../../actors/ports/event-store.ts';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { telegramAway } from '../../../../src/telegram/connection/reconnect-policy.ts';
import { LoginSteps } from '../../../../src/telegram/login/login-steps.ts';
import { NotConnectedError } from '../../../../src/telegram/port/errors.ts';
import { createDrivenClock, createSeededRandomness, type DrivenClock } from '../../../support/kit/clock.ts';
import { failureOf } from '../../../support/kit/failure-of.ts';
import { createGate, type Gate } from '../../../support/kit/gate.ts';
import { watch } from '../../../support/telegram/scene.ts';

const second = 1000;
const fact: TelegramFact = { type: 'PasswordRequested', login: 1, hint: '' };

let clock: DrivenClock;
let stop: AbortController;
let recorded: Gate;
let isStoreAway: boolean;
let steps: LoginSteps;
/** What was tried, and how often. */
let tries: number;

beforeEach(() => {
  clock = createDrivenClock();
  stop = new AbortController();
  recorded = createGate();
  isStoreAway = false;
  tries = 0;
  const deps = { clock, random: createSeededRandomness(1, clock), log: () => undefined };
  steps = new LoginSteps(deps, { post: () => recorded.passed }, stop.signal);
});

const save = (): Promise<void> => {
  tries += 1;
  return isStoreAway ? Promise.reject(new StoreUnavailableError('away')) : Promise.resolve();
};
const step = async (): Promise<void> => {
  await steps.write(save);
  await steps.report(fact);
};

describe('a step of a login', () => {
  it('[FA2.4] lets its callers go when the store does not take it, and goes on', async () => {
    isStoreAway = true;
    const callers = [failureOf(steps.run(step)), failureOf(steps.run(step))];
    await clock.settle();
    expect(await Promise.all(callers)).toEqual([expect.any(StoreUnavailableError), expect.any(StoreUnavailableError)]);
    expect(tries).toBe(1);
    await clock.advance(60 * second);
    const before = tries;
    expect(before).toBeGreaterThan(2);
    // The next try may be half a minute away.
    expect(await failureOf(steps.run(step))).toBeInstanceOf(StoreUnavailableError);
    expect(tries).toBe(before);
    isStoreAway = false;
    recorded.open();
    await clock.advance(30 * second);
    expect(tries).toBe(before + 1);
    await steps.run(step);
    expect(tries).toBe(before + 2);
  });

  it('[FA2.4] lets them go after 5 s where a fact is not recorded, and answers those who come when it is', async () => {
    const caller = failureOf(steps.run(step));
    await clock.advance(5 * second - 1);
    expect(clock.armed()).toBe(1);
    await clock.advance(1);
    expect(await caller).toBeInstanceOf(StoreUnavailableError);
    expect(await failureOf(steps.run(step))).toBeInstanceOf(StoreUnavailableError);
    recorded.open();
    await clock.settle();
    await steps.run(step);
    expect(clock.armed()).toBe(0);
  });

  it('[FA2.4] is waited for by work that needs what it stores, as by its other callers', async () => {
    await steps.ended();
    isStoreAway = true;
    const callers = [failureOf(steps.run(step)), failureOf(steps.ended())];
    await clock.settle();
    expect(await Promise.all(callers)).toEqual([expect.any(StoreUnavailableError), expect.any(StoreUnavailableError)]);
    expect(await failureOf(steps.ended())).toBeInstanceOf(StoreUnavailableError);
    isStoreAway = false;
    recorded.open();
    await clock.advance(30 * second);
    await steps.ended();
    expect(clock.armed()).toBe(0);
    const last = createGate();
    const running = steps.run(() => last.passed);
    const ended = watch(steps.ended());
    await clock.settle();
    expect(ended.settled).toBe('no');
    last.open();
    await running;
    await clock.settle();
    expect(ended.settled).toBe('resolved');
  });

  it('waits as long as Telegram takes', async () => {
    let isAway = true;
    const asked = steps.run(async () => {
      await steps.retry(telegramAway, () =>
        isAway ? Promise.reject(new NotConnectedError('no connection')) : Promise.resolve(),
      );
    });
    await clock.advance(120 * second);
    isAway = false;
    await clock.advance(30 * second);
    await expect(asked).resolves.toBeUndefined();
  });

  it('ends with its login, for the reason of that', async () => {
    isStoreAway = true;
    const reason = new NotConnectedError('the session is at something else now');
    const running = steps.run(() => steps.retry(telegramAway, () => Promise.reject(new NotConnectedError('none'))));
    await clock.settle();
    stop.abort(reason);
    expect(await failureOf(running)).toBe(reason);
  });
});
