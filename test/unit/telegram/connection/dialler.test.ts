import { expect, it } from 'vitest';
import { ConnectionGate } from '../../../../src/telegram/connection/connection-gate.ts';
import { DcAddresses } from '../../../../src/telegram/connection/dc-addresses.ts';
import { Dialler } from '../../../../src/telegram/connection/dialler.ts';
import { createDrivenClock } from '../../../support/kit/clock.ts';

const anyTime = new AbortController().signal;
const dcs = [
  { id: 2, host: '10.0.0.1', port: 443, onlyThisPort: true },
  { id: 2, host: '10.0.0.2', port: 443, onlyThisPort: true },
];

it('[SE14.1] attempts that are refused, or too many, slow down the next ones, and each counts once', async () => {
  const clock = createDrivenClock();
  const gate = new ConnectionGate(clock, 100);
  const dialler = new Dialler(new DcAddresses(clock, dcs), gate);
  const refused = await dialler.dial(2, anyTime);
  expect(refused.isPending).toBe(true);
  refused.refused();
  refused.refused();
  expect([gate.perSecond, refused.isPending]).toEqual([50, false]);
  await clock.advance(1_000);
  const before = gate.perSecond;
  const tooMany = await dialler.dial(2, anyTime);
  tooMany.tooMany();
  expect(gate.perSecond).toBeLessThan(before);
  expect(tooMany.isPending).toBe(false);
});

it('[SE14.2] without a pace too, an address that refuses gives way to the next, and one that says too many stays', async () => {
  const dialler = new Dialler(new DcAddresses(createDrivenClock(), dcs));
  (await dialler.dial(2, anyTime)).tooMany();
  expect((await dialler.dial(2, anyTime)).address.host).toBe('10.0.0.1');
  for (const end of ['refused', 'unroutable', 'silent'] as const) {
    const attempt = await dialler.dial(2, anyTime);
    attempt[end]();
    expect((await dialler.dial(2, anyTime)).address.host).not.toBe(attempt.address.host);
    expect([attempt.isPending, attempt.isUnroutable]).toEqual([false, end === 'unroutable']);
  }
});

it('[CL3.1] an attempt that this process gave up neither lowers the rate nor changes the address', async () => {
  const clock = createDrivenClock();
  const gate = new ConnectionGate(clock, 100);
  const dialler = new Dialler(new DcAddresses(clock, dcs), gate);
  const attempt = await dialler.dial(2, anyTime);
  attempt.withdrawn();
  // The error of the connection comes behind it.
  attempt.refused();
  expect([gate.perSecond, attempt.isPending]).toEqual([100, false]);
  expect((await dialler.dial(2, anyTime)).address.host).toBe(attempt.address.host);
});

it('[SE8.2] who waits for a data centre is woken by the first answer, unless they have gone', async () => {
  const clock = createDrivenClock();
  const dialler = new Dialler(new DcAddresses(clock, dcs));
  const woken: string[] = [];
  dialler.onReached(2, (ms) => woken.push(`after ${ms}`));
  const goAway = dialler.onReached(2, () => woken.push('gone'));
  dialler.onReached(4, () => woken.push('another'));
  goAway();
  const attempts = [await dialler.dial(2, anyTime), await dialler.dial(2, anyTime)];
  await clock.advance(30);
  for (const attempt of attempts) attempt.answered();
  expect(woken).toEqual(['after 30']);
});
