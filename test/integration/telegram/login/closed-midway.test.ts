import { afterEach, expect, it } from 'vitest';
import type { Clock, TimerHandle } from '../../../../actors/ports/clock.ts';
import type { TelegramFact } from '../../../../actors/ports/telegram-session.ts';
import { createTelegram } from '../../../../src/telegram/gramjs/telegram.ts';
import { settleNetwork } from '../../../support/kit/passing-time.ts';
import { openScene, type Scene, until, watch } from '../../../support/telegram/scene.ts';

let scene: Scene;
afterEach(() => scene.close());

/** Of a step of a login that waits for Telegram's answer, in milliseconds. */
const answerMs = 15_000;
/** More promises than lie between an answer and what is done with it. */
const maxTurns = 20;

/** Calls back as soon as Telegram has answered a step of a login. */
function watchAnswers(clock: Clock, onAnswer: () => void): Clock {
  const waiting = new Set<TimerHandle>();
  return {
    now: () => clock.now(),
    elapsed: () => clock.elapsed(),
    setTimeout(callback, delayMs) {
      const timer = clock.setTimeout(callback, delayMs);
      if (delayMs === answerMs) waiting.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      clock.clearTimeout(timer);
      if (waiting.delete(timer)) onAnswer();
    },
  };
}

it('[CL2.25] a session that is closed just when Telegram has sent its code does nothing more', async () => {
  scene = await openScene();
  const { loginStore, clock } = scene.options;
  const savedAfterwards: number[] = [];
  for (let turns = 0; turns < maxTurns; turns += 1) {
    let isClosed = false;
    const close = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await link.close();
      isClosed = true;
    };
    const saveLogin: typeof loginStore.saveLogin = async (id, login) => {
      if (isClosed) savedAfterwards.push(turns);
      await loginStore.saveLogin(id, login);
    };
    const telegram = createTelegram({
      ...scene.options,
      clock: watchAnswers(clock, () => void close()),
      loginStore: { ...loginStore, saveLogin },
    });
    const link = telegram.createTelegramSession(`closed after ${turns}`, () => Promise.resolve());
    link.awaitCode(1);
    await settleNetwork();
    const asked = watch(link.sendCode(1, '15550000001'));
    await until(() => asked.settled !== 'no' && isClosed);
    await settleNetwork();
  }
  expect(savedAfterwards).toEqual([]);
});

it('[LG1.9] a session that is reset just when Telegram has sent its code shows its QR code', async () => {
  scene = await openScene();
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const facts: TelegramFact[] = [];
    let isReset = false;
    const reset = async (): Promise<void> => {
      if (isReset) return;
      isReset = true;
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      link.logOut();
      link.startQrLogin(2);
    };
    const telegram = createTelegram({ ...scene.options, clock: watchAnswers(scene.clock, () => void reset()) });
    const link = telegram.createTelegramSession(`reset after ${turns}`, async (fact) => void facts.push(fact));
    link.awaitCode(1);
    await settleNetwork();
    const asked = watch(link.sendCode(1, '15550000001'));
    await until(() => asked.settled !== 'no' && facts.some(({ type }) => type === 'QrIssued'));
    await settleNetwork();
    expect([turns, facts.at(-1)]).toMatchObject([turns, { type: 'QrIssued', login: 2 }]);
    await telegram.close();
  }
});
