import { expect, it } from 'vitest';
import { silentLog } from '../../../../actors/ports/log.ts';
import { TelegramChild } from '../../../../actors/runtime/telegram-child.ts';
import { createScriptedLinks } from '../../../support/actors/scripted-link.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';
import { createGate } from '../../../support/kit/gate.ts';

it('[CL4.6] a session that leaves waits for no log-out, also if it closes already', async () => {
  const links = createScriptedLinks();
  const clock = createDrivenClock();
  const deps = { clock, log: silentLog, createTelegramSession: links.create };
  const report = (): Promise<void> => Promise.resolve();
  const child = new TelegramChild('s', deps, report, async () => '');
  const link = links.of('s');
  const answered = createGate();
  link.closing = answered.passed;
  link.giveUpLogOuts = () => answered.open();
  const ended = child.close();
  await clock.settle();
  await child.leave();
  await ended;
  expect([link.told, clock.armed()]).toEqual([['close'], 0]);
});
